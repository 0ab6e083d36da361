import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LayeredMap } from "./layered-map.ts";

interface Value {
  readonly n: number;
}

test("a layered map holds what a plain map would, however it was changed, and every earlier one stays as it was", () => {
  const write = fc.tuple(fc.nat({ max: 300 }), fc.option(fc.nat(), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(fc.array(write, { maxLength: 60 }), { minLength: 1, maxLength: 12 }), (edits) => {
      const plain = new Map<string, Value>();
      let layered = LayeredMap.empty<Value>({});
      for (let at = 0; at < 200; at++) {
        plain.set(`k${at}`, { n: at });
        layered = layered.set(`k${at}`, { n: at }, edits);
      }
      const earlier: { readonly layered: LayeredMap<Value>; readonly plain: Map<string, Value> }[] = [];
      for (const writes of edits) {
        earlier.push({ layered, plain: new Map(plain) });
        for (const [key, n] of writes) {
          if (n === undefined) plain.delete(`k${key}`);
          else plain.set(`k${key}`, { n });
          layered = layered.set(`k${key}`, n === undefined ? undefined : { n }, writes);
        }
      }
      for (const one of [...earlier, { layered, plain }]) {
        assert.equal(one.layered.size, one.plain.size);
        for (let key = 0; key <= 300; key++) assert.deepEqual(one.layered.get(`k${key}`), one.plain.get(`k${key}`));
        assert.equal([...one.layered.values()].length, one.plain.size);
      }
    }),
    { numRuns: 50 },
  );
});

test("who owns a map changes it in place", () => {
  const owner = {};
  const map = LayeredMap.empty<Value>(owner);
  assert.equal(map.set("a", { n: 1 }, owner), map);
  assert.notEqual(map.set("b", { n: 2 }, {}), map);
  assert.equal(map.get("b"), undefined);
});
