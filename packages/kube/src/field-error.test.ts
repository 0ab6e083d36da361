import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError, invalid, notSupported, quote, required, tooMany } from "./field-error.ts";

test("strings are quoted as Go quotes them", () => {
  const cases: [string, string][] = [
    ["plain text", '"plain text"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["\n\t\x07\v\x01\x7f", '"\\n\\t\\a\\v\\x01\\x7f"'],
    ["é 😀", '"é 😀"'],
    ["\u00a0\u2028\u0085\u{e0001}", '"\\u00a0\\u2028\\u0085\\U000e0001"'],
    ["\\u0001", '"\\\\u0001"'],
  ];
  for (const [text, quoted] of cases) assert.equal(quote(text), quoted);
});

test("errors read as kube-apiserver's", () => {
  const shown = [
    required("spec.x"),
    invalid("spec.x", { a: "<b>" }, "no"),
    invalid("", 3, "too small"),
    notSupported("spec.y", "q", ["a", "b"]),
    tooMany("spec.z", 3, 1),
  ].map(formatFieldError);
  assert.deepEqual(shown, [
    "spec.x: Required value",
    'spec.x: Invalid value: {"a":"\\u003cb\\u003e"}: no',
    "<nil>: Invalid value: 3: too small",
    'spec.y: Unsupported value: "q": supported values: "a", "b"',
    "spec.z: Too many: 3: must have at most 1 item",
  ]);
});
