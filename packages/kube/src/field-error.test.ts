import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError, invalid, notSupported, required, tooMany } from "./field-error.ts";

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
