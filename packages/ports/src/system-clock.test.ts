import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { systemClock } from "./system-clock.ts";

const DAY_MS = 24 * 3600 * 1000;
/** What Node waits at most; with more it does not wait at all. */
const LONGEST_MS = 2 ** 31 - 1;

test("a timer of more days than Node counts fires when they have passed, and not at once", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const waits = context.mock.method(globalThis, "setTimeout");
  const fired: string[] = [];
  systemClock.timer(60 * DAY_MS, () => fired.push("kept"));
  const cancel = systemClock.timer(60 * DAY_MS, () => fired.push("cancelled"));
  mock.timers.tick(LONGEST_MS);
  cancel();
  mock.timers.tick(LONGEST_MS);
  mock.timers.tick(60 * DAY_MS - 2 * LONGEST_MS - 1);
  assert.deepEqual(fired, []);
  mock.timers.tick(1);
  assert.deepEqual(fired, ["kept"]);
  for (const { arguments: given } of waits.mock.calls) assert.ok((given[1] ?? 0) <= LONGEST_MS);
});
