import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import { createQueue } from "./create-queue.ts";
import { LOW_PRIORITY } from "./queue.ts";
import type { Queue } from "./queue.ts";
import { queueMetrics } from "./queue-metrics.ts";

/** Takes and ends what is ready now, in order. */
async function drain(queue: Queue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.depth().ready > 0) {
    const item = await queue.take();
    assert.ok(item);
    keys.push(item.key);
    queue.done(item.key);
  }
  return keys;
}

const someKeys = fc.array(fc.tuple(fc.nat(3), fc.nat(4)).map(([namespace, name]) => `ns${namespace}/${name}`));

test("however often a key is added while it is queued, it runs once", async () => {
  await fc.assert(
    fc.asyncProperty(someKeys, async (keys) => {
      const queue = createQueue({ clock: new ManualClock() });
      for (const key of keys) queue.add(key);
      assert.deepEqual((await drain(queue)).sort(), [...new Set(keys)].sort());
    }),
  );
});

test("a key never runs twice at once, and adds during its run lead to exactly one more", async () => {
  await fc.assert(
    fc.asyncProperty(someKeys, fc.integer({ min: 1, max: 5 }), fc.nat(4), async (keys, workers, adds) => {
      const queue = createQueue({ clock: new ManualClock() });
      const runs = new Map<string, number>();
      const running = new Set<string>();
      const work = async (): Promise<void> => {
        for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
          const { key } = item;
          assert.ok(!running.has(key), `${key} runs already`);
          running.add(key);
          const run = (runs.get(key) ?? 0) + 1;
          runs.set(key, run);
          for (let i = 0; i < adds && run === 1; i++) queue.add(key);
          await new Promise((resolve) => setImmediate(resolve));
          running.delete(key);
          queue.done(key);
        }
      };
      for (const key of keys) queue.add(key);
      const all = Promise.all(Array.from({ length: workers }, work));
      for (let { ready, running: now } = queue.depth(); ready + now > 0; { ready, running: now } = queue.depth()) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      await queue.close();
      await all;
      for (const key of new Set(keys)) assert.equal(runs.get(key), adds === 0 ? 1 : 2);
    }),
    { numRuns: 50 },
  );
});

test("an add after a run began is never lost", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  queue.add("a");
  const first = await queue.take();
  queue.add("a");
  assert.deepEqual(queue.depth(), { ready: 1, waiting: 0, running: 1 });
  const second = queue.take();
  queue.done("a");
  assert.deepEqual([first?.key, (await second)?.key], ["a", "a"]);
});

test("of two adds of a waiting key the earlier time and the higher priority win, in whatever order they come", async () => {
  const adds = fc.record({ afterMs: fc.integer({ min: 1, max: 50 }), priority: fc.integer({ min: -3, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(adds, { minLength: 1 }), async (all) => {
      const clock = new ManualClock();
      const queue = createQueue({ clock });
      for (const add of all) queue.add("a", add);
      const earliest = Math.min(...all.map((add) => add.afterMs));
      clock.advance(earliest - 1);
      assert.equal(queue.depth().ready, 0);
      clock.advance(1);
      assert.deepEqual(await queue.take(), {
        key: "a",
        priority: Math.max(...all.map((add) => add.priority)),
        failures: 0,
        waitedMs: 0,
      });
    }),
  );
});

test("higher priorities run first, and within one of a namespace who was ready first", async () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  queue.add("ns/low", { priority: LOW_PRIORITY });
  queue.add("ns/late", { afterMs: 20 });
  queue.add("ns/early", { afterMs: 10 });
  queue.add("ns/now");
  queue.add("ns/urgent", { priority: 5 });
  clock.advance(30);
  queue.add("ns/last");
  assert.deepEqual(await drain(queue), ["ns/urgent", "ns/now", "ns/early", "ns/late", "ns/last", "ns/low"]);
});

test("a key whose priority is raised goes to the back of its new class", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  queue.add("ns/raised", { priority: LOW_PRIORITY });
  queue.add("ns/first");
  queue.add("ns/raised");
  queue.add("ns/last");
  queue.add("ns/first", { priority: LOW_PRIORITY });
  assert.deepEqual(await drain(queue), ["ns/first", "ns/raised", "ns/last"]);
});

test("ten thousand keys of one namespace delay the key of another by one", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  for (let i = 0; i < 10_000; i++) queue.add(`big/${i}`);
  queue.add("small/only");
  const [first, second] = [await queue.take(), await queue.take()];
  assert.deepEqual([first?.key, second?.key], ["big/0", "small/only"]);
});

test("who takes turns can be told", async () => {
  const queue = createQueue({ clock: new ManualClock(), fairness: (key) => key.split("-")[0] ?? "" });
  for (const key of ["a-1", "a-2", "b-1", "b-2"]) queue.add(key);
  assert.deepEqual(await drain(queue), ["a-1", "b-1", "a-2", "b-2"]);
});

test("a key that runs is passed over: it does not hold back the others", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  queue.add("ns/a");
  await queue.take();
  queue.add("ns/a", { priority: 9 });
  queue.add("ns/b");
  assert.equal((await queue.take())?.key, "ns/b");
});

test("retries wait 5 ms, doubled with each failure, 1000 s at most, and forgetting begins anew", async () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  const waits: number[] = [];
  for (let failures = 0; failures < 24; failures++) {
    queue.retry("a");
    const begun = clock.monotonic();
    const next = queue.take();
    while (queue.depth().running === 0) clock.advance(5);
    waits.push(clock.monotonic() - begun);
    assert.equal((await next)?.failures, failures + 1);
    queue.done("a");
  }
  assert.deepEqual(
    waits,
    Array.from({ length: 24 }, (_, n) => Math.min(5 * 2 ** n, 1_000_000)),
  );
  queue.forget("a");
  queue.retry("a");
  clock.advance(5);
  assert.equal((await queue.take())?.failures, 1);
});

test("a retry waits at least as long as it is told, and a change comes first", async () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  queue.retry("a", { atLeastMs: 30_000 });
  clock.advance(29_999);
  assert.equal(queue.depth().ready, 0);
  queue.add("a");
  assert.deepEqual(await queue.take(), { key: "a", priority: 0, failures: 1, waitedMs: 0 });
});

test("with randomness, backoffs are up to a tenth longer and never shorter", () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock, random: seededRandom(), baseMs: 1000 });
  for (let i = 0; i < 200; i++) queue.retry(`ns/${i}`);
  clock.advance(999);
  assert.equal(queue.depth().ready, 0);
  clock.advance(60);
  const { ready } = queue.depth();
  assert.ok(ready > 50 && ready < 150, `${ready} after half of the spread`);
  clock.advance(41);
  assert.equal(queue.depth().waiting, 0);
});

test("a delay never ends early: a timer that fires too soon is set again", () => {
  let now = 0;
  const timers: { ms: number; fire: () => void }[] = [];
  const hasty = {
    now: () => now,
    monotonic: () => now,
    timer: (ms: number, fire: () => void) => {
      timers.push({ ms, fire });
      return () => {};
    },
  };
  const queue = createQueue({ clock: hasty });
  queue.add("a", { afterMs: 10 });
  now = 9.4;
  timers[0]?.fire();
  assert.deepEqual([queue.depth().ready, timers[1]?.ms], [0, 1]);
  now = 10;
  timers[1]?.fire();
  assert.equal(queue.depth().ready, 1);
});

test("delays beyond what a timer can do neither fire at once nor are lost", () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  const year = 365 * 86_400_000;
  queue.add("a", { afterMs: year });
  clock.advance(year - 1);
  assert.equal(queue.depth().ready, 0);
  clock.advance(1);
  assert.equal(queue.depth().ready, 1);
});

test("one timer serves all delays, and none is left when nothing waits", async () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  for (let i = 1; i <= 100; i++) queue.add(`ns/${i}`, { afterMs: 1000 - i });
  assert.equal(clock.pending, 1);
  clock.advance(1000);
  assert.equal(clock.pending, 0);
  assert.equal((await drain(queue)).length, 100);
});

test("takers are served in the order in which they came; one that gave up takes nothing", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  const gaveUp = new AbortController();
  const takers = [queue.take(), queue.take(gaveUp.signal), queue.take()];
  gaveUp.abort();
  queue.add("a");
  queue.add("b");
  assert.deepEqual(
    (await Promise.all(takers)).map((item) => item?.key),
    ["a", undefined, "b"],
  );
  queue.add("c");
  assert.equal(await queue.take(gaveUp.signal), undefined);
  assert.equal(queue.depth().ready, 1);
});

test("closing drops what waits, tells takers, and resolves when nothing runs", async () => {
  const clock = new ManualClock();
  const queue = createQueue({ clock });
  queue.add("runs");
  const item = await queue.take();
  queue.add("runs");
  queue.add("ready");
  queue.add("later", { afterMs: 100 });
  let closed = false;
  const closing = queue.close().then(() => (closed = true));
  assert.equal(await queue.take(), undefined);
  queue.add("too late");
  assert.deepEqual([queue.depth(), clock.pending], [{ ready: 0, waiting: 0, running: 1 }, 0]);
  assert.equal(closed, false);
  queue.done(item?.key ?? "");
  await closing;
});

test("closing with drain gives out what is ready, follow-ups too, but waits for no delay", async () => {
  const queue = createQueue({ clock: new ManualClock() });
  for (const key of ["a", "b"]) queue.add(key);
  queue.add("later", { afterMs: 100 });
  assert.equal((await queue.take())?.key, "a");
  queue.add("a");
  const closing = queue.close({ drain: true });
  assert.equal((await queue.take())?.key, "b");
  const followUp = queue.take();
  const nothing = queue.take();
  queue.done("b");
  queue.retry("b");
  queue.done("a");
  assert.equal((await followUp)?.key, "a");
  queue.done("a");
  assert.equal(await nothing, undefined);
  await closing;
});

test("ending a run that is none is a mistake and told so", () => {
  assert.throws(() => createQueue({ clock: new ManualClock() }).done("a"), /does not run/);
});

test("metrics have the names that dashboards know, and tell depth by priority, waits and runs", async () => {
  const clock = new ManualClock();
  const metrics = createMetrics();
  const queue = createQueue({ clock, metrics: queueMetrics(metrics, clock, "c") });
  queue.add("a", { priority: LOW_PRIORITY });
  queue.add("a");
  queue.add("b");
  queue.retry("x");
  clock.advance(2000);
  await queue.take();
  clock.advance(3000);
  const { body } = metrics.exposition();
  for (const line of [
    'workqueue_depth{name="c",controller="c",priority="0"} 2',
    'workqueue_depth{name="c",controller="c",priority="-100"} 0',
    'workqueue_adds_total{name="c",controller="c"} 3',
    'workqueue_retries_total{name="c",controller="c"} 1',
    'workqueue_queue_duration_seconds_sum{name="c",controller="c"} 2',
    'workqueue_unfinished_work_seconds{name="c",controller="c"} 3',
    'workqueue_longest_running_processor_seconds{name="c",controller="c"} 3',
  ]) {
    assert.ok(body.includes(`${line}\n`), `${line} in\n${body}`);
  }
});
