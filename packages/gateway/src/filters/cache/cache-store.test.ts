import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Fields } from "../../exchange/fields.ts";
import { CacheStore } from "./cache-store.ts";
import type { CacheEntry } from "./cache-store.ts";

const NONE = new Fields();
const entry = (size: number, until = Infinity): CacheEntry => ({
  status: 200,
  fields: new Fields(),
  bytes: Buffer.alloc(size),
  storedAt: 0,
  ageMs: 0,
  freshUntil: until,
  staleUntil: until,
  shared: false,
});

test("what was not asked for the longest goes first", () => {
  const store = new CacheStore(2, 1e6);
  store.put("a", NONE, [], entry(1));
  store.put("b", NONE, [], entry(1));
  store.get("a", NONE, 0);
  store.put("c", NONE, [], entry(1));
  assert.deepEqual(
    ["a", "b", "c"].map((key) => store.get(key, NONE, 0) !== undefined),
    [true, false, true],
  );
});

test("bytes are bounded, and one answer that is larger than everything is not kept", () => {
  const store = new CacheStore(100, 10_000);
  store.put("large", NONE, [], entry(20_000));
  assert.equal(store.entries, 0);
  for (let at = 0; at < 50; at++) store.put(String(at), NONE, [], entry(1000));
  assert.ok(store.bytes <= 10_000);
  assert.ok(store.entries >= 5);
});

test("a key has only so many variants", () => {
  const store = new CacheStore(1000, 1e7);
  for (let at = 0; at < 100; at++) store.put("a", new Fields(["x", String(at)]), ["x"], entry(1));
  assert.equal(store.entries, 32);
});

test("what is over is gone", () => {
  const store = new CacheStore(10, 1e6);
  store.put("a", NONE, [], entry(1, 5));
  assert.equal(store.get("a", NONE, 5), undefined);
  assert.equal(store.bytes, 0);
});

test("whatever happens, the books are right and the bounds hold", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const variant = fc.constantFrom("1", "2").map((value) => new Fields(["x", value]));
  const act = fc.oneof(
    fc.tuple(fc.constant("put" as const), key, variant, fc.constantFrom([], ["x"]), fc.nat(3000)),
    fc.tuple(fc.constant("pass" as const), key, variant),
    fc.tuple(fc.constant("drop" as const), key, variant),
    fc.tuple(fc.constant("dropAll" as const), key, variant),
    fc.tuple(fc.constant("get" as const), key, variant),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const store = new CacheStore(3, 6000);
      for (const [what, of, request, names, size] of acts) {
        if (what === "put") store.put(of, request, names, entry(size));
        else if (what === "pass") store.pass(of, request, 10);
        else if (what === "get") store.get(of, request, 0);
        else store[what](of, request);
        assert.ok(store.bytes >= 0 && store.bytes <= 6000);
        assert.ok(store.entries >= 0 && store.entries <= 3);
      }
      for (const each of ["a", "b", "c", "d"]) store.dropAll(each);
      assert.deepEqual([store.bytes, store.entries], [0, 0]);
    }),
  );
});
