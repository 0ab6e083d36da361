import assert from "node:assert/strict";
import { test } from "node:test";
import { aborted, ManualClock } from "@gatewright/ports";
import { FakeCache } from "../controller/testing/fake-cache.ts";
import { settle } from "../controller/testing/controller-world.ts";
import { quietLog } from "@gatewright/telemetry";
import { LeaseLostError } from "./lease-lost-error.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { Runnable } from "./manager.ts";
import { supervised } from "./supervised.ts";
import { FakeElector } from "./testing/fake-elector.ts";

interface World {
  readonly clock: ManualClock;
  readonly diary: string[];
  readonly elector: FakeElector;
  readonly lifecycle: Lifecycle;
  readonly stop: AbortController;
}

function world(options: { readonly graceMs?: number; readonly exitOnLeaseLoss?: boolean } = {}): World {
  const clock = new ManualClock();
  const diary: string[] = [];
  const elector = new FakeElector(diary);
  const cache = new FakeCache();
  cache.run = async (signal?: AbortSignal) => {
    diary.push("cache begins");
    if (signal !== undefined) await aborted(signal);
    diary.push("cache ends");
  };
  const events = { record() {}, async flush() {} };
  const lifecycle = new Lifecycle({ clock, log: quietLog, cache, elector, events }, options);
  return { clock, diary, elector, lifecycle, stop: new AbortController() };
}

function diarist(diary: string[], name: string, when: Runnable["when"], end?: Promise<void>): Runnable {
  return {
    name,
    when,
    async run(signal) {
      diary.push(`${name} begins`);
      await aborted(signal);
      diary.push(`${name} is told`);
      await end;
      diary.push(`${name} ends`);
    },
  };
}

test("everything starts in order and stops in the opposite order, the lease last", async () => {
  const { diary, elector, lifecycle, stop } = world();
  lifecycle.add(diarist(diary, "controller", "leading"));
  lifecycle.add(diarist(diary, "server", "always"));
  const running = lifecycle.run(stop.signal);
  await settle();
  assert.deepEqual(diary.splice(0), ["server begins", "cache begins", "election begins"], "a warm standby");
  elector.lead();
  await settle();
  assert.deepEqual(diary.splice(0), ["controller begins"]);
  stop.abort();
  await running;
  assert.deepEqual(diary, [
    "controller is told",
    "controller ends",
    "server is told",
    "cache ends",
    "server ends",
    "lease released",
  ]);
});

test("a stop waits for work that is being done, and only then lets the lease go", async () => {
  const { clock, diary, elector, lifecycle, stop } = world({ graceMs: 1000 });
  const work = Promise.withResolvers<void>();
  lifecycle.add(diarist(diary, "controller", "leading", work.promise));
  const running = lifecycle.run(stop.signal);
  elector.lead();
  await settle();
  stop.abort();
  clock.advance(999);
  await settle();
  assert.deepEqual(diary.splice(0).slice(2), ["controller begins", "controller is told"]);
  work.resolve();
  await running;
  assert.deepEqual(diary, ["controller ends", "cache ends", "lease released"]);
});

test("work that does not end in time keeps the lease until it has ended, so that nobody does it a second time", async () => {
  const { clock, diary, elector, lifecycle, stop } = world({ graceMs: 1000 });
  const work = Promise.withResolvers<void>();
  lifecycle.add(diarist(diary, "controller", "leading", work.promise));
  const running = lifecycle.run(stop.signal);
  elector.lead();
  await settle();
  stop.abort();
  await settle();
  clock.advance(1000);
  await settle();
  await running;
  assert.deepEqual(diary.splice(0).slice(2), ["controller begins", "controller is told", "cache ends"]);
  work.resolve();
  await settle();
  assert.deepEqual(diary, ["controller ends", "lease released"]);
});

test("a stop before this process ever led ends at once", async () => {
  const { diary, lifecycle, stop } = world();
  lifecycle.add(diarist(diary, "controller", "leading"));
  const running = lifecycle.run(stop.signal);
  await settle();
  stop.abort();
  await running;
  assert.deepEqual(diary, ["cache begins", "election begins", "cache ends", "lease released"]);
});

test("a lost lease ends the work of the leader at once but not the process, which leads again when it can", async () => {
  const { diary, elector, lifecycle, stop } = world();
  const slow = Promise.withResolvers<void>();
  lifecycle.add(diarist(diary, "quick", "leading"));
  lifecycle.add(diarist(diary, "slow", "leading", slow.promise));
  const running = lifecycle.run(stop.signal);
  elector.lead();
  await settle();
  diary.splice(0);
  elector.lose();
  elector.lead();
  await settle();
  assert.deepEqual(diary.splice(0), ["quick is told", "slow is told", "quick ends", "quick begins"]);
  slow.resolve();
  await settle();
  assert.deepEqual(diary.splice(0), ["slow ends", "slow begins"], "the terms of one work never overlap");
  stop.abort();
  await running;
});

test("with exitOnLeaseLoss a lost lease ends the process, without waiting for anything", async () => {
  const { clock, diary, elector, lifecycle, stop } = world({ exitOnLeaseLoss: true });
  lifecycle.add(diarist(diary, "controller", "leading", new Promise(() => {})));
  const running = assert.rejects(lifecycle.run(stop.signal), LeaseLostError);
  elector.lead();
  await settle();
  elector.lose();
  for (let i = 0; i < 3; i++) {
    await settle();
    clock.advance(0);
  }
  await running;
});

test("work that is added while the process runs begins at once, and after a stop never", async () => {
  const { diary, elector, lifecycle, stop } = world();
  const running = lifecycle.run(stop.signal);
  elector.lead();
  await settle();
  diary.splice(0);
  lifecycle.add(diarist(diary, "late", "leading"));
  await settle();
  assert.deepEqual(diary.splice(0), ["late begins"]);
  stop.abort();
  lifecycle.add(diarist(diary, "too late", "always"));
  await running;
  lifecycle.add(diarist(diary, "much too late", "always"));
  assert.ok(!diary.includes("much too late begins"));
  await assert.rejects(lifecycle.run(stop.signal), /runs once/);
});

test("a part that fails is contained, told to health, and started again until it works", async () => {
  const clock = new ManualClock();
  let starts = 0;
  const flaky: Runnable = {
    name: "flaky",
    when: "always",
    async run(signal) {
      if (++starts < 3) throw new Error("no");
      await aborted(signal);
    },
  };
  const { check, run } = supervised(flaky, { clock, log: quietLog });
  const stop = new AbortController();
  const running = run(stop.signal);
  await settle();
  assert.match(check.problem() ?? "", /failed/);
  clock.advance(1000);
  await settle();
  clock.advance(2000);
  await settle();
  assert.equal(starts, 3);
  assert.match(check.problem() ?? "", /failed/, "it has not proved itself yet");
  clock.advance(2000);
  assert.equal(check.problem(), undefined);
  stop.abort();
  await running;
  assert.equal(clock.pending, 0);
});
