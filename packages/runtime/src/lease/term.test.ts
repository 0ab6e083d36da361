import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { createTerm } from "./term.ts";

const never = new AbortController().signal;

test("a term that was lost and won again while nobody looked is another term", async () => {
  const clock = new ManualClock();
  let heldUntil = 1000;
  const term = createTerm(clock, () => heldUntil);
  term.update(heldUntil);
  const first = await term.whenLeading(never);
  heldUntil = 5000; // lost and won again; the news of both come now, one after the other
  term.update(Number.NEGATIVE_INFINITY);
  assert.equal(first.aborted, true);
  term.update(heldUntil);
  const second = await term.whenLeading(never);
  assert.equal(second.aborted, false);
});

test("news of a renewal that come late do not end a term that goes on", async () => {
  const clock = new ManualClock();
  let heldUntil = 1000;
  const term = createTerm(clock, () => heldUntil);
  term.update(heldUntil);
  const leading = await term.whenLeading(never);
  heldUntil = 5000;
  clock.advance(2000);
  term.update(1500);
  assert.equal(leading.aborted, false);
});

test("who asks between the end of a renewal and the timer that would tell it is served by the next renewal", async () => {
  const manual = new ManualClock();
  // Timers that fire late, as those of a busy thread do.
  const clock: Clock = { now: () => manual.now(), monotonic: () => manual.monotonic(), timer: () => () => {} };
  const term = createTerm(clock);
  term.update(1000);
  manual.advance(1001);
  const asked = term.whenLeading(never);
  term.update(2000);
  assert.equal((await asked).aborted, false);
});
