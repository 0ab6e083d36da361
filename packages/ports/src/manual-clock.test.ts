import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "./manual-clock.ts";

test("time stands still until it is moved, and both of its readings move together", () => {
  const clock = new ManualClock(1000);
  assert.deepEqual([clock.now(), clock.monotonic()], [1000, 0]);
  clock.advance(250);
  assert.deepEqual([clock.now(), clock.monotonic()], [1250, 250]);
});

test("timers fire at their own moment, earliest first, and in the order they were set at the same moment", () => {
  const clock = new ManualClock(0);
  const fired: string[] = [];
  for (const [name, ms] of [
    ["late", 30],
    ["early", 10],
    ["early too", 10],
    ["never", 100],
  ] as const) {
    clock.timer(ms, () => fired.push(`${name} at ${clock.now()}`));
  }
  clock.advance(50);
  assert.deepEqual(fired, ["early at 10", "early too at 10", "late at 30"]);
  assert.deepEqual([clock.now(), clock.pending], [50, 1]);
});

test("a timer that sets another one within the time that passes sees it fire", () => {
  const clock = new ManualClock(0);
  let ticks = 0;
  const tick = (): void => {
    ticks++;
    clock.timer(10, tick);
  };
  clock.timer(10, tick);
  clock.advance(45);
  assert.deepEqual([ticks, clock.pending], [4, 1]);
});

test("a cancelled timer does not fire, and cancelling twice or late does nothing", () => {
  const clock = new ManualClock();
  let fired = 0;
  const cancel = clock.timer(10, () => fired++);
  cancel();
  cancel();
  const late = clock.timer(10, () => fired++);
  clock.advance(10);
  late();
  assert.deepEqual([fired, clock.pending], [1, 0]);
});
