import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./system-clock.ts";

const DAY_MS = 24 * 3600 * 1000;
/** What Node waits at most; with more it does not wait at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** A timer that Node was asked for. */
interface Asked {
  readonly ms: number;
  readonly fire: () => void;
  unref(): void;
}

/** Runs something, at once and to its end, with timers that fire when it says so. */
function withTimers(run: (waiting: Asked[]) => void): void {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const waiting: Asked[] = [];
  const fake = {
    setTimeout(fire: () => void, ms: number): Asked {
      const asked = { ms, fire, unref() {} };
      waiting.push(asked);
      return asked;
    },
    clearTimeout: (asked: Asked) => void waiting.splice(waiting.indexOf(asked), 1),
  };
  Object.assign(globalThis, fake);
  try {
    run(waiting);
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

test("a timer of more days than Node counts fires when they have passed, and not at once", () => {
  withTimers((waiting) => {
    const fired: string[] = [];
    const waited: number[] = [];
    systemClock.timer(60 * DAY_MS, () => fired.push("kept"));
    const next = (): void => {
      const [asked] = waiting.splice(0, 1);
      waited.push(asked?.ms ?? 0);
      asked?.fire();
    };
    next();
    next();
    assert.equal(fired.length, 0);
    next();
    assert.equal(fired.join(), "kept");
    assert.deepEqual(waited, [LONGEST_MS, LONGEST_MS, 60 * DAY_MS - 2 * LONGEST_MS]);
    const cancel = systemClock.timer(60 * DAY_MS, () => fired.push("cancelled"));
    next();
    cancel();
    assert.deepEqual(waiting, []);
  });
});
