import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leaseTiming } from "./lease-timing.ts";
import { runElection } from "./testing/election-world.ts";
import type { Candidate, Fate } from "./testing/election-world.ts";

const timing = leaseTiming({ namespace: "n", name: "l", identity: "x" });

const fate: fc.Arbitrary<Fate> = fc.record({
  thereMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 30_000 })),
  backMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 12_000 })),
  lost: fc.constantFrom("none", "none", "none", "request", "reply"),
});

const candidate: fc.Arbitrary<Candidate> = fc.record(
  {
    rate: fc.integer({ min: 80, max: 120 }).map((percent) => percent / 100),
    offset: fc.integer({ min: 0, max: 1_000_000 }),
    pauses: fc.array(
      fc.record({ from: fc.integer({ min: 0, max: 200_000 }), ms: fc.integer({ min: 1, max: 60_000 }) }),
      { maxLength: 4 },
    ),
    stopAt: fc.integer({ min: 0, max: 250_000 }),
  },
  { requiredKeys: ["rate", "offset", "pauses"] },
);

const plan = fc.record({
  candidates: fc.array(candidate, { minLength: 2, maxLength: 3 }),
  fates: fc.array(fate, { maxLength: 120 }),
});

test("no two processes are valid at once, whatever is delayed, lost or paused, while clock rates differ by 1.5 at most", () => {
  fc.assert(
    fc.property(plan, (each) => {
      assert.deepEqual(runElection({ ...each, untilMs: 300_000 }, timing).overlaps, []);
    }),
    { numRuns: 3000 },
  );
});

test("a holder counts from before it sent, not from a late reply: it is over before the quickest clock lets another take over", () => {
  for (let begins = 3_910; begins < 7_800; begins += 50) {
    for (const silentFrom of [7_850, 14_300]) {
      const slow: Candidate = { rate: 0.8, offset: 0, pauses: [{ from: silentFrom, ms: 60_000 }], lateMs: 3_900 };
      const quick: Candidate = { rate: 1.2, offset: 7, pauses: [{ from: 0, ms: begins }] };
      const { overlaps, leader } = runElection({ candidates: [slow, quick], fates: [], untilMs: 50_000 }, timing);
      assert.deepEqual([overlaps, leader], [[], 1]);
    }
  }
});

test("somebody leads once requests get through, unless all have stopped", () => {
  fc.assert(
    fc.property(plan, (each) => {
      const { leader } = runElection({ ...each, untilMs: 900_000 }, timing);
      if (each.candidates.every(({ stopAt }) => stopAt !== undefined)) assert.equal(leader, undefined);
      else assert.notEqual(leader, undefined);
    }),
    { numRuns: 500 },
  );
});

test("these properties can fail: with clocks that differ by more than the times allow, two are valid at once", () => {
  const slow: Candidate = { rate: 0.4, offset: 0, pauses: [{ from: 3_000, ms: 20_000 }] };
  const fast: Candidate = { rate: 1.2, offset: 0, pauses: [] };
  const result = runElection({ candidates: [slow, fast], fates: [], untilMs: 60_000 }, timing);
  assert.notDeepEqual(result.overlaps, []);
});

test("a lease that is given up is taken by the next process without waiting for it to expire", () => {
  const result = runElection(
    {
      candidates: [
        { rate: 1, offset: 0, pauses: [], stopAt: 5_000 },
        { rate: 1, offset: 0, pauses: [] },
      ],
      fates: [],
      untilMs: 10_000,
    },
    timing,
  );
  assert.deepEqual([result.leader, result.terms, result.phases], [1, 2, ["stopped", "leading"]]);
});

test("a lost reply to the write that took the lease does not cost a term", () => {
  const ok: Fate = { thereMs: 1, backMs: 1, lost: "none" };
  const result = runElection(
    {
      candidates: [{ rate: 1, offset: 0, pauses: [] }],
      fates: [ok, { thereMs: 1, backMs: 1, lost: "reply" }, ok],
      untilMs: 9_500,
    },
    timing,
  );
  assert.deepEqual([result.leader, result.terms], [0, 1]);
});
