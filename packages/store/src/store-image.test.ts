import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { createMemoryStore } from "./memory-store.ts";
import { imageOf } from "./store-image.ts";
import { put, remove, sampleValues } from "./testing/sample-store.ts";

const options = { clock: new ManualClock(), values: sampleValues };

test("stores that begin with an image have what was there, and what each does is its own", async () => {
  const first = createMemoryStore(options);
  await put(first.table("pods"), "a");
  await put(first.table("nodes"), "n");
  const image = imageOf(first);
  const [one, other] = [createMemoryStore({ ...options, image }), createMemoryStore({ ...options, image })];
  await put(one.table("pods"), "b");
  await remove(other.table("pods"), "a");
  const keys = (store: typeof one): string[] => [...store.table("pods").snapshot().entries()].map(({ key }) => key);
  assert.deepEqual([keys(first), keys(one), keys(other)], [["a"], ["a", "b"], []]);
  assert.deepEqual([first.revision, one.revision, other.revision], [2, 3, 3]);
  assert.deepEqual([...one.tableNames()], ["pods", "nodes"]);
});

test("what is decoded in an image is decoded in the stores that begin with it", async () => {
  const first = createMemoryStore(options);
  const entry = await put(first.table("pods"), "a");
  const image = imageOf(first);
  const store = createMemoryStore({ ...options, image });
  assert.equal(store.table("pods").decode(entry), first.table("pods").decode(entry));
});

test("a watch cannot go on from before the image", async () => {
  const first = createMemoryStore(options);
  await put(first.table("pods"), "a");
  await put(first.table("pods"), "b");
  const pods = createMemoryStore({ ...options, image: imageOf(first) }).table("pods");
  assert.equal(
    pods.watch(1, () => {}),
    "expired",
  );
  const seen: number[] = [];
  pods.watch(2, ({ revision }) => seen.push(revision));
  await put(pods, "c");
  assert.deepEqual(seen, [3]);
});
