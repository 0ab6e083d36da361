import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { openDiskStore } from "./disk-store.ts";
import type { DiskStoreOptions } from "./disk-store.ts";
import { FaultyFiles } from "./faulty-files.ts";
import type { Aftermath } from "./faulty-files.ts";
import { FRAME_HEADER, sealFrame } from "./frame.ts";
import { recordRoom, writeRecord } from "./record.ts";
import { WriteConflict } from "./store.ts";
import type { Entry, Snapshot, Store, Table } from "./store.ts";

/** A clock whose timers fire when the test says so. */
class HandClock implements Clock {
  readonly timers = new Set<() => void>();
  now = (): number => 0;
  monotonic = (): number => 0;
  timer(_: number, fire: () => void): () => void {
    this.timers.add(fire);
    return () => this.timers.delete(fire);
  }
  async fire(): Promise<void> {
    for (const fire of [...this.timers]) {
      this.timers.delete(fire);
      fire();
    }
    for (let i = 0; i < 100; i++) await undefined;
  }
}

function open(files: FaultyFiles, options: Partial<DiskStoreOptions> = {}): Promise<Store> {
  return openDiskStore({ directory: "/data", clock: new HandClock(), files, reserveBytes: 1000, ...options });
}

function object(key: string, revision: number, data: string): KubeObject {
  const metadata = { name: key, resourceVersion: String(revision), labels: { data: data.slice(0, 9) } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { data } };
}

function put(table: Table, key: string, data = "x"): Promise<Entry> {
  return table.write({ key, expected: table.head(key), object: (revision) => object(key, revision, data) });
}

function remove(table: Table, key: string): Promise<Entry> {
  const make = (revision: number): KubeObject => object(key, revision, "last");
  return table.write({ key, expected: table.head(key), deletes: true, object: make });
}

/** Every table as text: what must be the same after a restart. */
function contentsOf(store: Store): string {
  const tables = [...store.tableNames()].toSorted().map((name) => {
    const entries = [...store.table(name).snapshot().entries()];
    return entries.map((e) => `${name} ${e.key} ${e.revision} ${JSON.stringify(e.labels)} ${String(e.bytes)}`);
  });
  return tables.flat().join("\n");
}

test("everything is there after a restart, and revisions go on without a gap", async () => {
  const files = new FaultyFiles();
  const first = await open(files);
  await put(first.table("pods"), "a/b", "é\u{1f600}");
  await put(first.table("pods"), "a/c");
  await put(first.table("nodes"), "n");
  await remove(first.table("pods"), "a/c");
  const before = contentsOf(first);
  await first.close();
  const second = await open(files);
  assert.equal(contentsOf(second), before);
  assert.equal(second.revision, 4);
  assert.equal((await put(second.table("pods"), "a/d")).revision, 5);
  await second.close();
});

test("a watch resumes over a restart as far as the log reaches", async () => {
  const files = new FaultyFiles();
  const first = await open(files);
  await put(first.table("pods"), "a");
  await put(first.table("pods"), "a", "y");
  await remove(first.table("pods"), "a");
  await first.close();
  const second = await open(files);
  const seen: string[] = [];
  second.table("pods").watch(1, ({ type, revision, previous }) => seen.push(`${type} ${revision} ${previous?.revision}`));
  assert.deepEqual(seen, ["MODIFIED 2 1", "DELETED 3 2"]);
  assert.equal((second.table("pods").snapshotAt(2) as Snapshot).size, 1);
});

test("what a snapshot stands for is expired in every table, also in those that are empty", async () => {
  const files = new FaultyFiles();
  const first = await open(files, { compactFromBytes: 0 });
  await put(first.table("pods"), "a");
  await remove(first.table("pods"), "a");
  const compacted = (): boolean => files.contents.has("/data/00000003.snapshot");
  for (let n = 0; n < 50 && !compacted(); n++) await put(first.table("nodes"), "n");
  assert.ok(compacted());
  await first.close();
  const second = await open(files);
  assert.equal(second.table("pods").watch(1, () => {}), "expired");
  assert.equal(second.table("pods").snapshotAt(1), "expired");
  assert.equal((second.table("pods").snapshotAt(second.revision) as Snapshot).size, 0);
});

test("writes that arrive during a sync share the next one", async () => {
  const files = new FaultyFiles();
  const store = await open(files);
  const before = files.calls.length;
  await Promise.all(Array.from({ length: 100 }, (_, n) => put(store.table("pods"), `p${n}`)));
  const calls = files.calls.slice(before).map((call) => call.split(" ")[0]);
  assert.deepEqual(calls, ["write", "sync"]);
});

test("logs are compacted while writes go on, and the directory stays small", async () => {
  const files = new FaultyFiles();
  const store = await open(files, { compactFromBytes: 10_000 });
  for (let n = 0; n < 2000; n++) await put(store.table("pods"), `p${n % 10}`, String(n));
  const before = contentsOf(store);
  await store.close();
  const logs = [...files.contents].filter(([name]) => /\.(log|snapshot)$/.test(name));
  assert.ok(logs.length <= 3, logs.map(([name]) => name).join());
  assert.ok(logs.reduce((sum, [, bytes]) => sum + bytes.length, 0) < 50_000);
  assert.equal(contentsOf(await open(files)), before);
});

interface Run {
  /** The content after each revision that was given out, in order. */
  readonly states: { readonly revision: number; readonly content: ReadonlyMap<string, string> }[];
  acknowledged: number;
  highest: number;
}

/** Writes, some together, over two lives of the store, with compactions between. Never ends if the disk dies. */
async function workload(files: FaultyFiles, run: Run): Promise<void> {
  for (let life = 0; life < 2; life++) {
    const store = await open(files, { compactFromBytes: 700 });
    for (let n = 0; n < 12; n++) {
      const together = [0, 1, 2].slice(0, 1 + (n % 3)).map(async (offset) => {
        const table = store.table(n % 2 === 0 ? "pods" : "nodes");
        const key = `k${(n + offset) % 5}`;
        const deletes = (n + offset) % 4 === 3 && table.head(key) !== undefined;
        const make = (revision: number): KubeObject => {
          const content = new Map(run.states.at(-1)?.content);
          if (deletes) content.delete(`${table.name}/${key}`);
          else content.set(`${table.name}/${key}`, `${revision} ${n}`);
          run.states.push({ revision, content });
          run.highest = revision;
          return object(key, revision, String(n));
        };
        const entry = await table.write({ key, expected: table.head(key), deletes, object: make });
        run.acknowledged = Math.max(run.acknowledged, entry.revision);
      });
      await Promise.all(together);
    }
    await store.close();
  }
}

const AFTERMATHS: Aftermath[] = [
  { kind: "kept" },
  { kind: "lost" },
  { kind: "torn", bytes: 0.3, names: 0.5, block: () => true },
  { kind: "torn", bytes: 1, names: 1, block: (index) => index % 2 === 0 },
  { kind: "torn", bytes: 0.9, names: 0, block: (index) => index % 5 !== 0 },
  { kind: "torn", bytes: 1, names: 0.7, block: () => false },
];

test("a crash at any call, with any remains of what was not synced, loses no acknowledged write", async () => {
  const whole = new FaultyFiles();
  await workload(whole, { states: [], acknowledged: 0, highest: 0 });
  assert.ok(whole.calls.length > 200);
  for (let call = 1; call <= whole.calls.length; call++) {
    const files = new FaultyFiles();
    files.fault = { call, code: "crash" };
    const run: Run = { states: [], acknowledged: 0, highest: 0 };
    await Promise.race([files.crashed, workload(files, run)]);
    for (const [index, aftermath] of AFTERMATHS.entries()) {
      const where = `crash at call ${call} (${whole.calls[call - 1]}), aftermath ${index}`;
      let left = files.restart(aftermath);
      let { highest } = run;
      for (let again = 0; again < 2; again++) {
        const store = await open(left).catch((error: unknown) => assert.fail(`${where}: ${String(error)}`));
        if (again === 0) checkRecovered(store, run, where);
        const next = await put(store.table("pods"), `next-${again}`);
        assert.ok(next.revision > highest, `${where}: revision ${next.revision} was given before`);
        highest = next.revision;
        left = left.restart({ kind: "lost" });
      }
      const last = await open(left);
      assert.ok(last.table("pods").get("next-0") && last.table("pods").get("next-1"), where);
    }
  }
});

function checkRecovered(store: Store, run: Run, where: string): void {
  assert.ok(store.revision >= run.acknowledged, `${where}: revision ${store.revision} < ${run.acknowledged}`);
  const expected = run.states.findLast((state) => state.revision <= store.revision)?.content ?? new Map();
  const found = new Map<string, string>();
  for (const name of store.tableNames()) {
    for (const entry of store.table(name).snapshot().entries()) {
      const { data, metadata } = store.table(name).decode(entry) as KubeObject & { data: { data: string } };
      found.set(`${name}/${entry.key}`, `${metadata.resourceVersion} ${data.data}`);
    }
  }
  assert.deepEqual(new Map([...found].toSorted()), new Map([...expected].toSorted()), where);
}

test("any flipped byte is refused or cut off as an unfinished write, and never becomes data", async () => {
  const files = new FaultyFiles();
  const store = await open(files, { compactFromBytes: 1200 });
  const states = new Set<string>([""]);
  for (let n = 0; n < 14; n++) {
    await put(store.table("pods"), `p${n % 4}`, String(n));
    states.add(contentsOf(store));
  }
  const final = contentsOf(store);
  await store.close();
  const names = [...files.contents.keys()].filter((name) => /\.(log|snapshot)$/.test(name));
  assert.ok(names.some((name) => name.endsWith("snapshot")));
  let refused = 0;
  for (const name of names) {
    for (let at = 0; at < files.contents.get(name)!.length; at++) {
      const copy = new Map(files.contents);
      const bytes = Buffer.from(copy.get(name)!);
      bytes[at]! ^= 1 << at % 8;
      copy.set(name, bytes);
      try {
        const damaged = await open(new FaultyFiles(copy));
        assert.equal(contentsOf(damaged), final, `byte ${at} of ${name}`);
      } catch (error) {
        refused++;
        assert.equal((error as Error).name, "StoreFileError", String(error));
        assert.ok(String(error).includes(name));
      }
    }
  }
  assert.ok(refused > 500);
});

test("a file cut anywhere is read up to there or refused", async () => {
  const files = new FaultyFiles();
  const store = await open(files, { compactFromBytes: 1200 });
  const states = new Set<string>();
  for (let n = 0; n < 12; n++) {
    await put(store.table("pods"), `p${n % 4}`, String(n));
    states.add(contentsOf(store));
  }
  await store.close();
  for (const [name, bytes] of files.contents) {
    if (!/\.(log|snapshot)$/.test(name)) continue;
    for (let length = 0; length < bytes.length; length++) {
      const cut = new FaultyFiles(new Map(files.contents).set(name, bytes.subarray(0, length)));
      const found = await open(cut).then(contentsOf, (error: Error) => error);
      assert.ok(typeof found === "string" ? states.has(found) : found.name === "StoreFileError", `${name} ${length}`);
      if (name.endsWith("snapshot")) assert.notEqual(typeof found, "string");
    }
  }
});

function withHeader(header: object): Buffer {
  const record = { kind: "header", json: JSON.stringify(header) } as const;
  const frame = Buffer.alloc(FRAME_HEADER + recordRoom(record));
  const whole = frame.subarray(0, writeRecord(record, frame, FRAME_HEADER));
  sealFrame(whole, 0);
  return whole;
}

test("a missing log, a foreign file and a newer format are refused by name", async () => {
  const files = new FaultyFiles();
  const store = await open(files, { compactFromBytes: 700 });
  for (let n = 0; n < 20; n++) await put(store.table("pods"), `p${n}`);
  await store.close();
  const log = [...files.contents.keys()].findLast((name) => name.endsWith(".log"))!;
  const without = new Map(files.contents);
  without.delete(log);
  await assert.rejects(open(new FaultyFiles(without)), { name: "StoreFileError", message: /log: the file is missing/ });
  const foreign = new Map(files.contents).set(log, Buffer.from("SQLite format 3"));
  await assert.rejects(open(new FaultyFiles(foreign)), /does not start like a file of the store/);
  const newer = new Map(files.contents);
  newer.set(log, withHeader({ format: 2, kind: "log", generation: 7 }));
  await assert.rejects(open(new FaultyFiles(newer)), /newer version \(format 2, this one reads up to 1\)/);
  const renamed = new Map([["/data/00000001.log", files.contents.get(log)!]]);
  await assert.rejects(open(new FaultyFiles(renamed)), /under another name/);
});

test("a failed sync ends all writing until a restart, and nothing of the batch is visible", async () => {
  const files = new FaultyFiles();
  const store = await open(files);
  const pods = store.table("pods");
  const old = await put(pods, "a", "old");
  files.syncFails = "EIO";
  const results = await Promise.allSettled([put(pods, "a", "new"), put(pods, "b")]);
  files.syncFails = undefined;
  assert.ok(results.every((result) => result.status === "rejected" && result.reason.code === 503));
  assert.equal(pods.head("a"), old);
  assert.equal(pods.get("b"), undefined);
  const health = store.health();
  assert.ok(!health.ok && /EIO.*restart/.test(health.why));
  await assert.rejects(put(pods, "c"), { code: 503, message: /restart/ });
  const syncs = files.calls.filter((call) => call.startsWith("sync")).length;
  await store.close();
  assert.equal(files.calls.filter((call) => call.startsWith("sync")).length, syncs, "a failed sync is not tried again");
  const again = await open(files.restart({ kind: "lost" }));
  assert.equal(again.table("pods").get("a")?.revision, old.revision);
});

test("writes built upon a failed one fail with it", async () => {
  const files = new FaultyFiles();
  const store = await open(files);
  const pods = store.table("pods");
  const first = put(pods, "a", "1");
  for (let i = 0; i < 3; i++) await undefined;
  files.syncFails = "EIO";
  const second = put(pods, "a", "2");
  assert.deepEqual((await Promise.allSettled([first, second])).map((result) => result.status), ["rejected", "rejected"]);
  assert.equal(pods.head("a"), undefined);
});

test("a full disk refuses new data, lets objects go, and takes writes again when there is space", async () => {
  const files = new FaultyFiles();
  const clock = new HandClock();
  const lines: string[] = [];
  const store = await open(files, { clock, log: (message) => lines.push(message) });
  const pods = store.table("pods");
  for (let n = 0; n < 10; n++) await put(pods, `p${n}`);
  const used = [...files.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  files.capacity = used + 10;
  const length = files.contents.get("/data/00000001.log")!.length;
  await assert.rejects(put(pods, "new"), { code: 503, message: /insufficient storage/, details: { retryAfterSeconds: 5 } });
  assert.equal(files.contents.get("/data/00000001.log")!.length, length);
  assert.equal(pods.head("new"), undefined);
  assert.ok(!store.health().ok);
  await assert.rejects(put(pods, "p1", "more"), { code: 503 });
  await remove(pods, "p0");
  await clock.fire();
  assert.ok(!store.health().ok);
  files.capacity = Infinity;
  await clock.fire();
  assert.deepEqual(store.health(), { ok: true });
  await put(pods, "new");
  assert.deepEqual(lines.filter((line) => line.includes("disk")), ["the disk is full", "the disk has space again"]);
  const before = contentsOf(store);
  assert.equal(contentsOf(await open(files.restart({ kind: "lost" }))), before);
});

test("a disk that is full of old log is emptied by compaction", async () => {
  const files = new FaultyFiles();
  const clock = new HandClock();
  const store = await open(files, { clock });
  for (let n = 0; n < 100; n++) await put(store.table("pods"), "a", String(n));
  files.capacity = [...files.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 10;
  await assert.rejects(put(store.table("pods"), "a"), { code: 503 });
  await clock.fire();
  await clock.fire();
  assert.deepEqual(store.health(), { ok: true });
  await put(store.table("pods"), "a", "100");
});

test("a store whose disk is full to the last byte still serves reads, and writes later", async () => {
  const files = new FaultyFiles();
  const first = await open(files);
  await put(first.table("pods"), "a");
  await first.close();
  const next = files.restart();
  await next.remove("/data/reserve");
  next.capacity = [...next.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 80;
  const clock = new HandClock();
  const store = await open(next, { clock });
  next.capacity = 0;
  assert.ok(store.table("pods").get("a"));
  await assert.rejects(put(store.table("pods"), "b"), { code: 503 });
  next.capacity = Infinity;
  await clock.fire();
  await put(store.table("pods"), "b");
});

/** Thirty writes that go on after failures; what was acknowledged, by key. */
async function stubbornWrites(store: Store, clock: HandClock): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let n = 0; n < 30; n++) {
    const key = `k${n % 5}`;
    const entry = await put(store.table("pods"), key, String(n)).catch(() => undefined);
    if (entry !== undefined) acknowledged.set(key, String(entry.bytes));
    else await clock.fire();
  }
  return acknowledged;
}

for (const code of ["ENOSPC", "EIO"]) {
  test(`${code} at any call during writes and compactions loses no acknowledged write`, async () => {
    for (let call = 1, ended = false; !ended; call++) {
      const files = new FaultyFiles();
      files.fault = { call, code };
      const clock = new HandClock();
      const store = await open(files, { compactFromBytes: 700, clock }).catch(() => undefined);
      if (store === undefined) continue;
      const acknowledged = await stubbornWrites(store, clock);
      const visible = [...store.table("pods").snapshot().entries()].map((e) => [e.key, String(e.bytes)] as const);
      assert.deepEqual(new Map(visible), acknowledged);
      const healthy = store.health().ok;
      await store.close().catch(() => {});
      const failed = files.calls[call - 1];
      ended = failed === undefined;
      if (code === "ENOSPC" && !failed?.startsWith("sync")) assert.ok(healthy, failed);
      const again = await open(files.restart(healthy ? { kind: "lost" } : { kind: "kept" }));
      for (const [key, bytes] of acknowledged) {
        const found = again.table("pods").get(key);
        if (healthy) assert.equal(String(found?.bytes), bytes, failed);
        else assert.ok(found !== undefined && found.revision >= Number(JSON.parse(bytes).metadata.resourceVersion), failed);
      }
    }
  });
}

test("conflicts are decided on the head while a sync is under way", async () => {
  const store = await open(new FaultyFiles());
  const pods = store.table("pods");
  const created = put(pods, "a");
  const make = (revision: number): KubeObject => object("a", revision, "other");
  await assert.rejects(pods.write({ key: "a", expected: undefined, object: make }), WriteConflict);
  await created;
});
