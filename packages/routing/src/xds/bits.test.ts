import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Bits } from "./bits.ts";

test("it holds what a set of numbers holds", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 200 }))), (changes) => {
      const bits = new Bits();
      const set = new Set<number>();
      for (const [isThere, number] of changes) {
        if (isThere) bits.add(number);
        else bits.delete(number);
        if (isThere) set.add(number);
        else set.delete(number);
        assert.equal(bits.has(number), isThere);
      }
      assert.deepEqual(
        [...bits],
        [...set].toSorted((a, b) => a - b),
      );
    }),
  );
});

test("nothing is left after clearing it", () => {
  const bits = new Bits();
  bits.add(31);
  bits.add(64);
  bits.clear();
  assert.deepEqual([...bits], []);
  assert.equal(bits.has(64), false);
});
