import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { FaultyFiles } from "@gatewright/store/testing";
import { openDiskState } from "./disk-state.ts";
import type { DiskState } from "./disk-state.ts";
import type { State } from "./state.ts";

function openOn(files: FaultyFiles, clock = new ManualClock()): Promise<DiskState> {
  return openDiskState({ directory: "/aws", clock, files, compactFromBytes: 20_000 });
}

/** A batch as Route 53 has it: many records and the change that made them. */
function batch(state: State, turn: number, count = 1000): Promise<void> {
  const records = state.records<{ turn: number }>("route53/records");
  const changes = state.records<{ turn: number }>("route53/changes");
  return state.commit((commit) => {
    for (let n = 0; n < count; n++) commit.put(records, `zone/${n}`, { turn });
    commit.put(changes, "latest", { turn });
  });
}

/** The turn at which a state is, which must be the same for every record. */
function turnOf(state: State, count: number): number {
  const turns = new Set(
    state
      .records<{ turn: number }>("route53/records")
      .list()
      .map(([, { turn }]) => turn),
  );
  const latest = state.records<{ turn: number }>("route53/changes").get("latest")?.turn;
  if (latest === undefined) {
    assert.equal(turns.size, 0);
    return -1;
  }
  assert.deepEqual([...turns], [latest]);
  assert.equal(state.records("route53/records").list("zone/").length, count);
  return latest;
}

test("what was committed is there after a restart, in order and frozen; what was deleted is not", async () => {
  const files = new FaultyFiles();
  const first = await openOn(files);
  const zones = first.records<{ name: string; tags: string[] }>("zones");
  await first.commit((commit) => {
    commit.put(zones, "b", { name: "b", tags: ["x"] });
    commit.put(zones, "a", { name: "a", tags: [] });
    commit.put(zones, "c", { name: "c", tags: [] });
    commit.delete(zones, "never there");
  });
  await first.commit((commit) => commit.delete(zones, "c"));
  await first.close();
  const second = await openOn(files);
  const again = second.records<{ name: string; tags: string[] }>("zones");
  assert.deepEqual(
    again.list().map(([key]) => key),
    ["a", "b"],
  );
  assert.throws(() => again.get("b")?.tags.push("y"), TypeError);
  await second.close();
});

test("a commit is seen at once, and others build upon it before it is on disk", async () => {
  const state = await openOn(new FaultyFiles());
  const counters = state.records<number>("counters");
  const add = (): Promise<void> => state.commit((commit) => commit.put(counters, "a", (counters.get("a") ?? 0) + 1));
  const all = Promise.all([add(), add(), add()]);
  assert.equal(counters.get("a"), 3);
  await all;
  await state.close();
});

test("a batch of a thousand records survives a crash at any call whole or not at all", async () => {
  const run = async (files: FaultyFiles, told: (turn: number) => void): Promise<void> => {
    const state = await openOn(files);
    for (let turn = 0; turn < 3; turn++) {
      await batch(state, turn);
      told(turn);
    }
    await state.close();
  };
  const whole = new FaultyFiles();
  await run(whole, () => {});
  assert.ok(
    whole.calls.some((call) => call.includes("snapshot")),
    "compactions are among the calls",
  );
  for (let call = 1; call <= whole.calls.length; call++) {
    const files = new FaultyFiles();
    files.fault = { call, code: "crash" };
    let acknowledged = -1;
    await Promise.race([files.crashed, run(files, (turn) => (acknowledged = turn))]);
    for (const kind of ["kept", "lost"] as const) {
      const state = await openOn(files.restart({ kind }));
      assert.ok(turnOf(state, 1000) >= acknowledged, `crash at call ${call} (${whole.calls[call - 1]}), ${kind}`);
    }
  }
});

test("when the disk refuses, readers see again what is on disk, and commits made meanwhile fail too", async () => {
  const files = new FaultyFiles();
  const state = await openOn(files);
  await batch(state, 0, 10);
  files.syncFails = "EIO";
  const failing = [batch(state, 1, 10), batch(state, 2, 10)];
  assert.equal(turnOf(state, 10), 2);
  const results = await Promise.allSettled(failing);
  assert.ok(results.every(({ status }) => status === "rejected"));
  assert.equal(turnOf(state, 10), 0);
  assert.equal(state.health().ok, false);
  await assert.rejects(batch(state, 3, 10), { name: "StoreUnavailable" });
  assert.equal(turnOf(state, 10), 0);
  await state.close();
});

test("after a full disk has space again, commits go on from what readers see", async () => {
  const files = new FaultyFiles();
  const clock = new ManualClock();
  const state = await openOn(files, clock);
  await batch(state, 0, 10);
  files.capacity = [...files.contents.values()].reduce((sum, bytes) => sum + bytes.length, 0) + 10;
  await assert.rejects(batch(state, 1, 10), { name: "StoreUnavailable" });
  assert.equal(turnOf(state, 10), 0);
  files.capacity = Infinity;
  clock.advance(1000);
  for (let i = 0; i < 100; i++) await Promise.resolve();
  await batch(state, 2, 10);
  await state.close();
  assert.equal(turnOf(await openOn(files.restart({ kind: "lost" })), 10), 2);
});
