import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareKeys } from "./key-order.ts";
import { OrderedMap } from "./ordered-map.ts";

type Item = { readonly key: string; readonly value: number };

const keys = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "-", "/", "é", "\u{ff5e}", "\u{1f600}"), maxLength: 5 }),
  fc.nat({ max: 400 }).map((n) => `ns-${n % 7}/name-${n}`),
);

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

test("keys compare as their UTF-8 bytes do", () => {
  const texts = fc.string({ unit: "grapheme" });
  fc.assert(fc.property(texts, texts, (a, b) => assert.equal(Math.sign(compareKeys(a, b)), bytewise(a, b))));
});

test("an ordered map behaves like a sorted list of its values, and old versions never change", () => {
  const command = fc.record({ key: keys, deletes: fc.boolean(), value: fc.nat() });
  const property = fc.property(
    fc.array(command, { maxLength: 600, size: "max" }),
    keys,
    keys,
    (commands, start, prefix) => {
      let map = OrderedMap.empty<Item>();
      const model = new Map<string, Item>();
      const versions: { map: OrderedMap<Item>; items: Item[] }[] = [];
      for (const { key, deletes, value } of commands) {
        if (deletes) {
          map = map.delete(key);
          model.delete(key);
        } else {
          map = map.set({ key, value });
          model.set(key, { key, value });
        }
        assert.deepEqual(map.get(key), model.get(key));
        if (versions.length < 20 || value % 50 === 0) versions.push({ map, items: sorted(model) });
      }
      versions.push({ map, items: sorted(model) });
      for (const version of versions) {
        assert.equal(version.map.size, version.items.length);
        assert.deepEqual([...version.map.from("")], version.items);
        const after = version.items.filter((item) => bytewise(item.key, start) >= 0);
        assert.deepEqual([...version.map.from(start)], after);
        assert.equal(version.map.countBefore(start), version.items.length - after.length);
        const through = version.items.filter((i) => i.key.startsWith(prefix) || bytewise(i.key, prefix) < 0);
        assert.equal(version.map.countThrough(prefix), through.length);
        assert.deepEqual([...OrderedMap.fromSorted(version.items).from("")], version.items);
      }
    },
  );
  fc.assert(property, { numRuns: 60 });
});

test("a map that grew to thousands shrinks back to nothing in any order", () => {
  for (const step of [1, 7, 4999]) {
    let map = OrderedMap.empty<Item>();
    const key = (n: number): string => String((n * step) % 5000).padStart(5, "0");
    for (let n = 0; n < 5000; n++) map = map.set({ key: key(n), value: n });
    assert.equal(map.size, 5000);
    for (let n = 0; n < 5000; n++) {
      map = map.delete(key((n * 3) % 5000));
      if (n % 500 === 0) assert.equal([...map.from("")].length, 4999 - n);
    }
    assert.equal(map.size, 0);
    assert.equal(map.get(key(1)), undefined);
  }
});

test("a key that is not there leaves the map as it is", () => {
  const map = OrderedMap.empty<Item>().set({ key: "a", value: 1 });
  assert.equal(map.delete("b"), map);
});

test("a map is not built from values that are out of order", () => {
  assert.throws(() => OrderedMap.fromSorted([{ key: "b" }, { key: "a" }]), RangeError);
  assert.throws(() => OrderedMap.fromSorted([{ key: "a" }, { key: "a" }]), RangeError);
});

function sorted(model: Map<string, Item>): Item[] {
  return [...model.values()].toSorted((a, b) => bytewise(a.key, b.key));
}
