import assert from "node:assert/strict";
import { test } from "node:test";
import { WriteConflict } from "./store.ts";
import type { Snapshot } from "./store.ts";
import { FaultyFiles } from "./testing/faulty-files.ts";
import type { Sample } from "./testing/sample-store.ts";
import { contentsOf, openOn, put, remove, sampleObject } from "./testing/sample-store.ts";

test("everything is there after a restart, and revisions go on without a gap", async () => {
  const files = new FaultyFiles();
  const first = await openOn(files);
  await put(first.table("pods"), "a/b", "é\u{1f600}");
  await put(first.table("pods"), "a/c");
  await put(first.table("nodes"), "n");
  await remove(first.table("pods"), "a/c");
  const before = contentsOf(first);
  await first.close();
  const second = await openOn(files);
  assert.equal(contentsOf(second), before);
  assert.equal(second.revision, 4);
  assert.equal((await put(second.table("pods"), "a/d")).revision, 5);
  await second.close();
});

test("a watch resumes over a restart as far as the log reaches", async () => {
  const files = new FaultyFiles();
  const first = await openOn(files);
  await put(first.table("pods"), "a");
  await put(first.table("pods"), "a", "y");
  await remove(first.table("pods"), "a");
  await first.close();
  const second = await openOn(files);
  const seen: string[] = [];
  second
    .table("pods")
    .watch(1, ({ type, revision, previous }) => seen.push(`${type} ${revision} ${previous?.revision}`));
  assert.deepEqual(seen, ["MODIFIED 2 1", "DELETED 3 2"]);
  assert.equal((second.table("pods").snapshotAt(2) as Snapshot).size, 1);
  second.table("pods").watch(2, ({ entry }) => {
    const told = JSON.parse(String(entry.bytes)) as Sample;
    assert.deepEqual([told.metadata.resourceVersion, told.data], ["3", { data: "y" }]);
    assert.deepEqual(entry.labels, { data: "y" });
  });
});

test("what a snapshot stands for is expired in every table, also in those that are empty", async () => {
  const files = new FaultyFiles();
  const first = await openOn(files, { compactFromBytes: 0 });
  await put(first.table("pods"), "a");
  await remove(first.table("pods"), "a");
  const compacted = (): boolean => files.contents.has("/data/00000003.snapshot");
  for (let n = 0; n < 50 && !compacted(); n++) await put(first.table("nodes"), "n");
  assert.ok(compacted());
  await first.close();
  const second = await openOn(files);
  assert.equal(
    second.table("pods").watch(1, () => {}),
    "expired",
  );
  assert.equal(second.table("pods").snapshotAt(1), "expired");
  assert.equal((second.table("pods").snapshotAt(second.revision) as Snapshot).size, 0);
});

test("writes that arrive during a sync share the next one", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files);
  const before = files.calls.length;
  await Promise.all(Array.from({ length: 100 }, (_, n) => put(store.table("pods"), `p${n}`)));
  const calls = files.calls.slice(before).map((call) => call.split(" ")[0]);
  assert.deepEqual(calls, ["write", "sync"]);
});

test("logs are compacted while writes go on, and the directory stays small", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files, { compactFromBytes: 10_000 });
  for (let n = 0; n < 2000; n++) await put(store.table("pods"), `p${n % 10}`, String(n));
  const before = contentsOf(store);
  await store.close();
  const logs = [...files.contents].filter(([name]) => /\.(log|snapshot)$/.test(name));
  assert.ok(logs.length <= 3, logs.map(([name]) => name).join());
  assert.ok(logs.reduce((sum, [, bytes]) => sum + bytes.length, 0) < 50_000);
  assert.equal(contentsOf(await openOn(files)), before);
});

test("conflicts are decided on the head while a sync is under way", async () => {
  const store = await openOn(new FaultyFiles());
  const pods = store.table("pods");
  const created = put(pods, "a");
  const make = (revision: number): Sample => sampleObject("a", revision, "other");
  await assert.rejects(pods.write({ key: "a", expected: undefined, object: make }), WriteConflict);
  await created;
});
