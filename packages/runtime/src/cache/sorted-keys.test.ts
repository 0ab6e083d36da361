import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SortedKeys } from "./sorted-keys.ts";

const key = fc
  .tuple(fc.constantFrom("a", "a-b", "b"), fc.constantFrom("x", "x.y", "z"))
  .map((parts) => parts.join("/"));

test("whatever is added and deleted, keys are distinct and in order, also those of one namespace", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), key)), (moves) => {
      const keys = new SortedKeys();
      const model = new Set<string>();
      for (const [add, moved] of moves) {
        if (add) keys.add(moved);
        else keys.delete(moved);
        if (add) model.add(moved);
        else model.delete(moved);
      }
      const sorted = [...model].sort();
      assert.deepEqual(keys.all(), sorted);
      assert.equal(keys.size, model.size);
      assert.deepEqual(
        keys.startingWith("a/"),
        sorted.filter((other) => other.startsWith("a/")),
      );
    }),
  );
});
