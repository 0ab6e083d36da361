import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import fc from "fast-check";
import type { JournaledStoreOptions } from "./journaled-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { WriteConflict } from "./store.ts";
import type { Change, Entry, Snapshot } from "./store.ts";
import { put, remove, sampleObject, sampleValues } from "./testing/sample-store.ts";
import type { Sample } from "./testing/sample-store.ts";

function store(options: Partial<JournaledStoreOptions<Sample>> = {}) {
  return createMemoryStore({ clock: new ManualClock(), values: sampleValues, ...options });
}

function keysOf(snapshot: Snapshot): string[] {
  return [...snapshot.entries()].map((entry) => entry.key);
}

test("a write is at the head at once and visible when it resolves", async () => {
  const pods = store().table("pods");
  const written = put(pods, "a/b");
  assert.equal(pods.head("a/b")?.revision, 1);
  assert.equal(pods.get("a/b"), undefined);
  assert.equal(await written, pods.get("a/b"));
  assert.deepEqual(pods.get("a/b")?.labels, { data: "x" });
  assert.equal(JSON.parse(String(pods.get("a/b")?.bytes)).metadata.resourceVersion, "1");
});

test("revisions rise over all tables and become visible in their order", async () => {
  const all = store();
  const seen: number[] = [];
  for (const name of ["pods", "nodes"]) all.table(name).watch(0, (change) => seen.push(change.revision));
  await Promise.all([1, 2, 3, 4, 5, 6].map((n) => put(all.table(n % 2 ? "pods" : "nodes"), `n${n}`)));
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  assert.equal(all.revision, 6);
  assert.deepEqual([...all.tableNames()], ["pods", "nodes"]);
});

test("of a hundred writers that saw the same version, one wins", async () => {
  const pods = store().table("pods");
  const expected = await put(pods, "a");
  const make = (revision: number) => sampleObject("a", revision, "won");
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, () => pods.write({ key: "a", expected, object: make })),
  );
  assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
  const errors = results.filter((result) => result.status === "rejected").map((result) => result.reason as unknown);
  assert.ok(errors.every((error) => error instanceof WriteConflict));
});

test("an object that cannot be made rejects the write and leaves the head alone", async () => {
  const pods = store().table("pods");
  const fails = (): Sample => {
    throw new Error("no");
  };
  await assert.rejects(pods.write({ key: "a", expected: undefined, object: fails }), /^Error: no$/);
  assert.equal(pods.head("a"), undefined);
  await assert.rejects(pods.write({ key: "a", expected: undefined, deletes: true, object: fails }), WriteConflict);
});

test("decoded objects are frozen, and the same while they are used", async () => {
  const pods = store().table("pods");
  const entry = await put(pods, "a");
  const decoded = pods.decode(entry);
  assert.throws(() => (decoded.metadata.name = "b"), TypeError);
  assert.equal(pods.decode(entry), decoded);
  const big = "x".repeat(1024 * 1024);
  for (let n = 0; n < 6; n++) await put(pods, `big-${n}`, big);
  assert.notEqual(pods.decode(entry), decoded);
  assert.deepEqual(pods.decode(entry), decoded);
});

test("a listener that throws harms neither the write nor other listeners", async () => {
  const told: unknown[] = [];
  const pods = store({ log: (message, { error }) => told.push(message, error) }).table("pods");
  const seen: string[] = [];
  const boom = new Error("boom");
  pods.watch(0, () => {
    throw boom;
  });
  pods.watch(0, (change) => seen.push(change.entry.key));
  await put(pods, "a");
  assert.deepEqual(seen, ["a"]);
  assert.deepEqual(told, ["a watcher of the store failed", boom]);
});

test("a watcher that writes, watches and stops while it is told gets each change once", async () => {
  const pods = store().table("pods");
  const seen: string[] = [];
  const late: string[] = [];
  const stop = pods.watch(0, (change) => {
    seen.push(change.entry.key);
    if (change.entry.key !== "a") return;
    void put(pods, "c");
    pods.watch(0, (again) => late.push(again.entry.key));
  });
  await Promise.all([put(pods, "a"), put(pods, "b")]);
  await put(pods, "d");
  assert.deepEqual(seen, ["a", "b", "c", "d"]);
  assert.deepEqual(late, ["a", "b", "c", "d"]);
  assert.ok(stop !== "expired");
  stop();
  await put(pods, "e");
  assert.deepEqual([seen.length, late.length], [4, 5]);
});

test("a watch from a future revision tells only what comes after it", async () => {
  const pods = store().table("pods");
  const seen: number[] = [];
  pods.watch(2, (change) => seen.push(change.revision));
  for (const key of ["a", "b", "c"]) await put(pods, key);
  assert.deepEqual(seen, [3]);
});

test("the window forgets by count, by age and by size, and says so", async () => {
  const clock = new ManualClock();
  const window = { changes: 10, milliseconds: 1000, bytes: 100_000, keepAtLeast: 2 };
  const pods = store({ clock, window }).table("pods");
  for (let n = 1; n <= 20; n++) await put(pods, `n${n}`);
  assert.equal(
    pods.watch(9, () => {}),
    "expired",
  );
  assert.equal(pods.snapshotAt(9), "expired");
  assert.equal(typeof pods.watch(10, () => {}), "function");
  clock.advance(1001);
  assert.equal(pods.snapshotAt(17), "expired");
  assert.equal((pods.snapshotAt(18) as Snapshot).size, 18);
  assert.equal(pods.snapshotAt(21), "future");
  await put(pods, "big", "x".repeat(100_000));
  assert.equal(pods.snapshotAt(20), "expired");
  assert.equal((pods.snapshotAt(21) as Snapshot).size, 21);
});

test("a quiet table is not expired by what happens to others", async () => {
  const all = store({ window: { changes: 2, keepAtLeast: 0 } });
  await put(all.table("quiet"), "a");
  for (let n = 0; n < 50; n++) await put(all.table("busy"), "b");
  assert.deepEqual(keysOf(all.table("quiet").snapshotAt(1) as Snapshot), ["a"]);
});

test("who waits for a revision is woken when it is visible, or leaves with the signal", async () => {
  const all = store();
  const reached = all.reached(2, new AbortController().signal);
  const leaving = new AbortController();
  const never = all.reached(3, leaving.signal);
  await put(all.table("pods"), "a");
  await put(all.table("nodes"), "a");
  await reached;
  await all.reached(1, AbortSignal.abort());
  leaving.abort(new Error("left"));
  await assert.rejects(never, /left/);
  await assert.rejects(all.reached(9, AbortSignal.abort(new Error("gone"))), /gone/);
});

test("a closed store takes no writes", async () => {
  const all = store();
  const last = put(all.table("pods"), "a");
  await all.close();
  await last;
  await assert.rejects(put(all.table("pods"), "b"), { name: "StoreUnavailable" });
});

test("a table behaves like a list of all its states", async () => {
  const command = fc.record({
    key: fc.nat({ max: 90 }).map((n) => `ns${n % 4}/n${n}`),
    deletes: fc.boolean(),
    wait: fc.boolean(),
  });
  const property = fc.asyncProperty(fc.array(command, { maxLength: 150, size: "max" }), async (commands) => {
    const pods = store().table("pods");
    const states: Map<string, number>[] = [new Map()];
    const writes: Promise<Entry>[] = [];
    const live: Change[] = [];
    pods.watch(0, (change) => live.push(change));
    for (const { key, deletes, wait } of commands) {
      const state = new Map(states.at(-1));
      assert.equal(pods.head(key)?.revision, state.get(key));
      if (deletes && !state.has(key)) continue;
      writes.push(deletes ? remove(pods, key) : put(pods, key));
      if (deletes) state.delete(key);
      else state.set(key, states.length);
      states.push(state);
      if (wait) await writes.at(-1);
    }
    await Promise.all(writes);
    for (const [revision, state] of states.entries()) {
      const snapshot = pods.snapshotAt(revision) as Snapshot;
      const expected = [...state].toSorted(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(
        [...snapshot.entries()].map((e) => [e.key, e.revision]),
        expected,
      );
      const range = { prefix: "ns1/", start: "ns1/n3" };
      const inRange = expected.filter(([key]) => key.startsWith(range.prefix) && key >= range.start);
      assert.deepEqual(
        [...snapshot.entries(range)].map((e) => e.key),
        inRange.map(([key]) => key),
      );
      assert.equal(snapshot.count(range), inRange.length);
      assert.equal(snapshot.count(), snapshot.size);
      const replayed: Change[] = [];
      pods.watch(revision, (change) => replayed.push(change));
      assert.deepEqual(replayed, live.slice(revision));
    }
    for (const { type, revision, entry, previous } of live) {
      const before = states[revision - 1]!.get(entry.key);
      assert.equal(previous?.revision, before);
      assert.equal(type, states[revision]!.has(entry.key) ? (before === undefined ? "ADDED" : "MODIFIED") : "DELETED");
    }
  });
  await fc.assert(property, { numRuns: 40 });
});
