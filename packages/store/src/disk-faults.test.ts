import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Store } from "./store.ts";
import { StoreUnavailable } from "./value-rules.ts";
import { FaultyFiles } from "./testing/faulty-files.ts";
import type { Sample } from "./testing/sample-store.ts";
import { contentsOf, lookForSpace, openOn, put, remove } from "./testing/sample-store.ts";

test("a failed sync ends all writing until a restart, and nothing of the batch is visible", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files);
  const pods = store.table("pods");
  const old = await put(pods, "a", "old");
  files.syncFails = "EIO";
  const results = await Promise.allSettled([put(pods, "a", "new"), put(pods, "b")]);
  files.syncFails = undefined;
  assert.ok(results.every((result) => result.status === "rejected" && result.reason instanceof StoreUnavailable));
  assert.equal(pods.head("a"), old);
  assert.equal(pods.get("b"), undefined);
  const health = store.health();
  assert.ok(!health.ok && /EIO.*restart/.test(health.why));
  await assert.rejects(put(pods, "c"), { name: "StoreUnavailable", message: /restart/ });
  const syncs = files.calls.filter((call) => call.startsWith("sync")).length;
  await store.close();
  assert.equal(files.calls.filter((call) => call.startsWith("sync")).length, syncs, "a failed sync is not tried again");
  const again = await openOn(files.restart({ kind: "lost" }));
  assert.equal(again.table("pods").get("a")?.revision, old.revision);
});

test("writes built upon a failed one fail with it, and new ones succeed", async () => {
  const files = new FaultyFiles();
  const clock = new ManualClock();
  const store = await openOn(files, { clock });
  const pods = store.table("pods");
  files.fault = { call: files.calls.length + 1, code: "ENOSPC" };
  const first = put(pods, "a", "1");
  await Promise.resolve();
  const second = put(pods, "a", "2");
  assert.ok(files.calls.at(-1)?.startsWith("write"), "the first write is under way, the second waits");
  assert.deepEqual(
    (await Promise.allSettled([first, second])).map((result) => result.status),
    ["rejected", "rejected"],
  );
  assert.equal(pods.head("a"), undefined);
  await lookForSpace(clock);
  assert.equal((await put(pods, "a", "3")).revision, 3);
});

test("a full disk refuses new data, lets objects go, and takes writes again when there is space", async () => {
  const files = new FaultyFiles();
  const clock = new ManualClock();
  const lines: string[] = [];
  const store = await openOn(files, { clock, log: (message) => lines.push(message) });
  const pods = store.table("pods");
  for (let n = 0; n < 10; n++) await put(pods, `p${n}`);
  const used = [...files.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  files.capacity = used + 10;
  const length = files.contents.get("/data/00000001.log")!.length;
  await assert.rejects(put(pods, "new"), {
    name: "StoreUnavailable",
    message: /insufficient storage/,
    retryAfterSeconds: 5,
  });
  assert.equal(files.contents.get("/data/00000001.log")!.length, length);
  assert.equal(pods.head("new"), undefined);
  assert.ok(!store.health().ok);
  await assert.rejects(put(pods, "p1", "more"), { name: "StoreUnavailable" });
  await remove(pods, "p0");
  await lookForSpace(clock);
  assert.ok(!store.health().ok);
  files.capacity = Infinity;
  await lookForSpace(clock);
  assert.deepEqual(store.health(), { ok: true });
  await put(pods, "new");
  assert.deepEqual(
    lines.filter((line) => line.includes("disk")),
    ["the disk is full", "the disk has space again"],
  );
  const before = contentsOf(store);
  assert.equal(contentsOf(await openOn(files.restart({ kind: "lost" }))), before);
});

test("a disk that is full of old log is emptied by compaction", async () => {
  const files = new FaultyFiles();
  const clock = new ManualClock();
  const store = await openOn(files, { clock });
  for (let n = 0; n < 100; n++) await put(store.table("pods"), "a", String(n));
  files.capacity = [...files.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 10;
  await assert.rejects(put(store.table("pods"), "a"), { name: "StoreUnavailable" });
  await lookForSpace(clock);
  await lookForSpace(clock);
  assert.deepEqual(store.health(), { ok: true });
  await put(store.table("pods"), "a", "100");
});

test("on a full disk all objects can be deleted, and that makes space", async () => {
  const files = new FaultyFiles();
  const clock = new ManualClock();
  const store = await openOn(files, { clock, reserveBytes: 20_000 });
  const pods = store.table("pods");
  files.capacity = 60_000;
  let count = 0;
  while (store.health().ok) await put(pods, `p${count++}`, "x".repeat(300)).catch(() => count--);
  assert.ok(count > 50);
  for (let n = 0; n < count; n++) {
    // A compaction that is tried meanwhile, in vain at first, may take the space of a deletion: clients try again.
    for (let attempt = 0; attempt < 5 && pods.head(`p${n}`) !== undefined; attempt++) {
      await remove(pods, `p${n}`).catch(() => undefined);
    }
  }
  assert.equal(pods.snapshot().size, 0);
  await lookForSpace(clock);
  await lookForSpace(clock);
  assert.deepEqual(store.health(), { ok: true });
  await put(pods, "new");
});

test("a store whose disk is full to the last byte still serves reads, and writes later", async () => {
  const files = new FaultyFiles();
  const first = await openOn(files);
  await put(first.table("pods"), "a");
  await first.close();
  const next = files.restart();
  await next.remove("/data/reserve");
  next.capacity = [...next.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 80;
  const clock = new ManualClock();
  const store = await openOn(next, { clock });
  next.capacity = 0;
  assert.ok(store.table("pods").get("a"));
  await assert.rejects(put(store.table("pods"), "b"), { name: "StoreUnavailable" });
  await assert.rejects(remove(store.table("pods"), "a"), { name: "StoreUnavailable" });
  await lookForSpace(clock);
  await assert.rejects(put(store.table("pods"), "b"), { name: "StoreUnavailable" });
  next.capacity = Infinity;
  await lookForSpace(clock);
  await put(store.table("pods"), "b");
});

/** Thirty writes that go on after failures; what was acknowledged, by key. */
async function stubbornWrites(store: Store<Sample>, clock: ManualClock): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let n = 0; n < 30; n++) {
    const key = `k${n % 5}`;
    const entry = await put(store.table("pods"), key, String(n)).catch(() => undefined);
    if (entry !== undefined) acknowledged.set(key, String(entry.bytes));
    else await lookForSpace(clock);
  }
  return acknowledged;
}

for (const code of ["ENOSPC", "EIO"]) {
  test(`${code} at any call during writes and compactions loses no acknowledged write`, async () => {
    for (let call = 1, ended = false; !ended; call++) {
      const files = new FaultyFiles();
      files.fault = { call, code };
      const clock = new ManualClock();
      const store = await openOn(files, { compactFromBytes: 700, clock }).catch(() => undefined);
      if (store === undefined) continue;
      const acknowledged = await stubbornWrites(store, clock);
      const visible = [...store.table("pods").snapshot().entries()].map((e) => [e.key, String(e.bytes)] as const);
      assert.deepEqual(new Map(visible), acknowledged);
      const healthy = store.health().ok;
      await store.close().catch(() => {});
      const failed = files.calls[call - 1];
      ended = failed === undefined;
      if (code === "ENOSPC" && !failed?.startsWith("sync")) assert.ok(healthy, failed);
      const again = await openOn(files.restart(healthy ? { kind: "lost" } : { kind: "kept" }));
      for (const [key, bytes] of acknowledged) {
        const found = again.table("pods").get(key);
        if (healthy) assert.equal(String(found?.bytes), bytes, failed);
        else
          assert.ok(
            found !== undefined && found.revision >= Number(JSON.parse(bytes).metadata.resourceVersion),
            failed,
          );
      }
    }
  });
}
