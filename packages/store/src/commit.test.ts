import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { WriteConflict } from "./store.ts";
import type { CommitRequest, Entry, Store } from "./store.ts";
import { FaultyFiles } from "./testing/faulty-files.ts";
import type { Aftermath } from "./testing/faulty-files.ts";
import { contentsOf, lookForSpace, openOn, put, sampleObject } from "./testing/sample-store.ts";
import type { Sample } from "./testing/sample-store.ts";

const TABLES = ["zones", "records"];
const KEYS = 20;

/** Puts the same data under all keys of both tables, or deletes those whose turn it is, in one commit. */
function batch(store: Store<Sample>, turn: number): Promise<readonly Entry[]> {
  const requests = TABLES.flatMap((table) =>
    Array.from({ length: KEYS }, (_, n): CommitRequest<Sample> | undefined => {
      const key = `k${n}`;
      const expected = store.table(table).head(key);
      const deletes = (n + turn) % 4 === 0;
      if (deletes && !expected) return undefined;
      return { table, key, expected, deletes, object: (revision) => sampleObject(key, revision, String(turn)) };
    }),
  );
  return store.commit(requests.filter((request) => request !== undefined));
}

/** The turn that a store is at. Fails when it holds parts of several. */
function turnOf(store: Store<Sample>, where: string): number {
  const turns = new Set<string | undefined>();
  const missing = new Set<number>();
  for (const name of TABLES) {
    const table = store.table(name);
    for (let n = 0; n < KEYS; n++) {
      const entry = table.get(`k${n}`);
      if (entry) turns.add(table.decode(entry).data["data"]);
      else missing.add(n);
    }
  }
  if (turns.size === 0) return -1;
  assert.equal(turns.size, 1, `${where}: parts of the turns ${[...turns].join()}`);
  const turn = Number([...turns][0]);
  for (let n = 0; n < KEYS; n++) assert.equal(missing.has(n), (n + turn) % 4 === 0, `${where}: k${n} at turn ${turn}`);
  return turn;
}

const AFTERMATHS: readonly Aftermath[] = [
  { kind: "kept" },
  { kind: "lost" },
  { kind: "torn", bytes: 0.5, names: (index) => index % 2 === 0, block: () => true },
  { kind: "torn", bytes: 1, names: () => true, block: (index) => index % 3 !== 0 },
];

async function turns(files: FaultyFiles, told: (turn: number) => void): Promise<void> {
  const store = await openOn(files, { compactFromBytes: 6000 });
  for (let turn = 0; turn < 8; turn++) {
    await batch(store, turn);
    told(turn);
  }
  await store.close();
}

test("a crash at any call leaves all of a commit or nothing of it, over all tables", async () => {
  const whole = new FaultyFiles();
  await turns(whole, () => {});
  assert.ok(
    whole.calls.some((call) => call.includes("snapshot")),
    "compactions are among the calls",
  );
  for (let call = 1; call <= whole.calls.length; call++) {
    const files = new FaultyFiles();
    files.fault = { call, code: "crash" };
    let acknowledged = -1;
    await Promise.race([files.crashed, turns(files, (turn) => (acknowledged = turn))]);
    for (const [index, aftermath] of AFTERMATHS.entries()) {
      const where = `crash at call ${call} (${whole.calls[call - 1]}), aftermath ${index}`;
      const store = await openOn(files.restart(aftermath));
      assert.ok(turnOf(store, where) >= acknowledged, `${where}: turn ${acknowledged} was acknowledged`);
    }
  }
});

for (const code of ["ENOSPC", "EIO"]) {
  test(`${code} at any call leaves all of a commit or nothing of it, for readers and after a restart`, async () => {
    for (let call = 1, ended = false; !ended; call++) {
      const files = new FaultyFiles();
      files.fault = { call, code };
      const clock = new ManualClock();
      const store = await openOn(files, { compactFromBytes: 6000, clock }).catch(() => undefined);
      if (!store) continue;
      let acknowledged = -1;
      for (let turn = 0; turn < 6; turn++) {
        await batch(store, turn).then(
          () => (acknowledged = turn),
          () => lookForSpace(clock),
        );
        assert.equal(turnOf(store, `call ${call}`), acknowledged);
      }
      await store.close().catch(() => {});
      ended = files.calls[call - 1] === undefined;
      assert.ok(turnOf(await openOn(files.restart()), `restart after call ${call}`) >= acknowledged);
    }
  });
}

test("a thousand writes are one write and one sync", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files);
  const before = files.calls.length;
  const entries = await store.commit(
    Array.from({ length: 1000 }, (_, n) => ({
      table: "records",
      key: `k${n}`,
      expected: undefined,
      object: (revision: number) => sampleObject(`k${n}`, revision, "x"),
    })),
  );
  assert.equal(entries.length, 1000);
  assert.deepEqual(
    files.calls.slice(before).map((call) => call.split(" ")[0]),
    ["write", "sync"],
  );
});

test("a commit with one conflict changes nothing, and takes no revision", async () => {
  const store = await openOn(new FaultyFiles());
  const old = await put(store.table("zones"), "a");
  await put(store.table("zones"), "a", "new");
  const before = contentsOf(store);
  const make = (revision: number): Sample => sampleObject("a", revision, "mine");
  const fine = { table: "records", key: "b", expected: undefined, object: make };
  await assert.rejects(store.commit([fine, { table: "zones", key: "a", expected: old, object: make }]), WriteConflict);
  assert.equal(contentsOf(store), before);
  assert.equal(store.table("records").head("b"), undefined);
  assert.equal((await put(store.table("zones"), "c")).revision, 3);
});

test("a commit that has a key twice is refused, an empty one is done at once", async () => {
  const store = await openOn(new FaultyFiles());
  const request = { table: "zones", key: "a", expected: undefined, object: (n: number) => sampleObject("a", n, "x") };
  await assert.rejects(store.commit([request, request]), RangeError);
  assert.deepEqual(await store.commit([]), []);
});
