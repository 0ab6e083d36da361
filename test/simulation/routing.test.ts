import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { routingScenario } from "./routing.ts";

/**
 * Those that some bug was found by: who took over knew less than the one before, and took a backend from gateways; a status whose
 * write got no answer was never looked at again; what was good of a bad object was as it had been before its Service was known.
 */
const SEEDS = [1, 316, 8370, 8974];
/** Of the plans of single faults every so many; `npm run simulate -- --scenario routing` runs all, and many seeds. */
const EVERY_PLAN = 60;

test("routing passes: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned, reference } = await simulation(routingScenario);
  assert.deepEqual(verdict.violations, []);
  const routes = [...reference.endState].filter(([name]) => name.startsWith("apiroutes.avapigw.io "));
  assert.equal(routes.length, 11);
  for (const [name, text] of routes) assert.match(text, /"reason": "Applied"/, name);
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (const number of SEEDS) assert.deepEqual((await seed(number)).violations, [], `seed ${number}`);
});
