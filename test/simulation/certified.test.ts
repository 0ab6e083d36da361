import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePlan, simulation } from "@gatewright/runtime/simulation";
import { certifiedScenario } from "./certified.ts";

const SMOKE_SEEDS = 8;
/** Of the plans of single faults every so many. */
const EVERY_PLAN = 4;

test("a controller of certificates passes: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned, reference } = await simulation(certifiedScenario());
  assert.deepEqual(verdict.violations, []);
  assert.ok(reference.endState.has("aws certificate a.example.com"));
  assert.ok(reference.effects.some(({ site }) => site === "aws acm RequestCertificate"));
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (let n = 1; n <= SMOKE_SEEDS; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});

test("runs with AWS in them are the same when they are run again", async () => {
  const { seed } = await simulation(certifiedScenario());
  for (const n of [5, 10]) assert.equal((await seed(n)).hash, (await seed(n)).hash);
});

test("a certificate that is asked for twice is found", async () => {
  const { verdict, planned } = await simulation(certifiedScenario({ newToken: true }));
  assert.deepEqual(verdict.violations, []);
  const { violations } = await planned(parsePlan("crash-after@2"));
  assert.deepEqual(
    violations.map(({ oracle }) => oracle),
    ["end state", "churn"],
  );
});

test("a certificate that is left behind is found", async () => {
  const { planned } = await simulation(certifiedScenario({ hasty: true }));
  assert.equal((await planned(parsePlan("crash-after@7"))).violations[0]?.oracle, "end state");
});
