import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hunks, lineDiff } from "./line-diff.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

test("both texts can be read from their difference, and equal lines are not told as changed", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      const side = (signs: string) => lines.filter(({ sign }) => signs.includes(sign)).map(({ text: line }) => line);
      assert.deepEqual(side(" -"), before.replace(/\n$/, "").split("\n"));
      assert.deepEqual(side(" +"), after.replace(/\n$/, "").split("\n"));
      if (before === after) assert.ok(lines.every(({ sign }) => sign === " "));
    }),
  );
});

test("only changed lines and a few around them are shown", () => {
  const many = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const shown = hunks(lineDiff(many.join("\n"), many.with(10, "changed").join("\n")), 1);
  assert.deepEqual(
    shown.map((line) => (line === null ? "…" : `${line.sign}${line.text}`)),
    ["…", " line 9", "-line 10", "+changed", " line 11", "…"],
  );
});
