import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { hostnameRequestsScenario } from "./hostname-requests.ts";

/** Enough to see that the scenario works; `npm run simulate -- --scenario hostname-requests` runs many more. */
const SMOKE_SEEDS = 2;
/** Of the plans of single faults every so many. */
const EVERY_PLAN = 60;

test("requests for hostnames pass: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned } = await simulation(hostnameRequestsScenario);
  assert.deepEqual(verdict.violations, []);
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (let n = 1; n <= SMOKE_SEEDS; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});
