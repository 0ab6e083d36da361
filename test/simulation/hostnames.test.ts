import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { hostnamesScenario } from "./hostnames.ts";

/** Enough to see that the scenario works; `npm run simulate -- --scenario hostnames` runs many more. */
const SMOKE_SEEDS = 2;
/** Of the plans of single faults every so many. */
const EVERY_PLAN = 260;

test("hostnames pass: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned, reference } = await simulation(hostnamesScenario);
  assert.deepEqual(verdict.violations, []);
  assert.ok(reference.endState.has("aws certificate news.example.com"));
  assert.ok(reference.endState.has("aws record news.example.com. A"));
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (let n = 1; n <= SMOKE_SEEDS; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});
