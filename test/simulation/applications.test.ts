import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { applicationsScenario } from "./applications.ts";

/** Enough to see that the scenario works; `npm run simulate -- --scenario applications` runs many more. */
const SMOKE_SEEDS = 4;
/** Of the plans of single faults every so many. */
const EVERY_PLAN = 40;

test("Applications pass: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned } = await simulation(applicationsScenario);
  assert.deepEqual(verdict.violations, []);
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (let n = 1; n <= SMOKE_SEEDS; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});

test("seeds pass that once showed config of an older spec made anew, by a process whose cache was behind", async () => {
  const { seed } = await simulation(applicationsScenario);
  for (const n of [57, 95, 233]) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});

test("seeds pass that once showed a fault of the simulator: a process that was about to follow a kind again was called idle", async () => {
  const { seed } = await simulation(applicationsScenario);
  for (const n of [5962, 7073]) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});
