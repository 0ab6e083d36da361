import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { workloadsScenario } from "./workloads.ts";

/** Seeds that once failed, with what they found. What a seed does moves when faults or the scenario change. */
const REGRESSIONS = [
  { seed: 2, found: "a pod that was made without an answer, and then forgotten" },
  { seed: 30, found: "pods that a ReplicaSet still had though its status had never told of them" },
  { seed: 41, found: "a finished rollout that named the ReplicaSet of the one before" },
  { seed: 46, found: "a ReplicaSet that the cache did not know, left out of the sum" },
  { seed: 52, found: "a Job that looked untouched in an old cache" },
] as const;

/** Of the plans of single faults every so many; `npm run simulate` runs all. */
const EVERY_PLAN = 60;

const workloads = simulation(workloadsScenario);

test("workloads come to the same end whatever goes wrong, with never a pod too many", async () => {
  const { verdict, plans, planned } = await workloads;
  assert.deepEqual(verdict.violations, []);
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
});

for (const { seed: number, found } of REGRESSIONS) {
  test(`the seed passes that once showed ${found}`, async () => {
    const { seed } = await workloads;
    assert.deepEqual((await seed(number)).violations, []);
  });
}
