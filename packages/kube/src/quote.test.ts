import assert from "node:assert/strict";
import { test } from "node:test";
import { quote } from "./quote.ts";

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
