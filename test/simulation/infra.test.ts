import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { INFRA_SCENARIOS } from "./infra.ts";

/** Of the plans of single faults this many for each kind; `npm run simulate -- --scenario infra-sqsqueue` runs all, and seeds. */
const PLANS = 2;
/**
 * One that finds resources by their names, and one to which AWS gives ids; those in which an event is counted, or told at last, when all
 * is done, which left a role behind while reads of AWS could be stale without end, in which a refusal is on its way when faults end,
 * in which a provider's status was written every five minutes since a write of it had had no answer, and in which a process whose own
 * write had had none made a secret anew that a person had deleted.
 */
const SEEDED: Readonly<Record<string, readonly number[]>> = {
  "infra-sqsqueue": [1, 7418],
  "infra-ec2instance": [1],
  "infra-iamrole": [9128],
  "infra-s3bucket": [10116],
  "infra-rdsinstance": [8751],
  "infra-secretsmanagersecret": [4112, 9532],
};

for (const scenario of INFRA_SCENARIOS) {
  test(`${scenario.name} passes: without faults, and with single ones at effects`, async () => {
    const { verdict, plans, planned, seed, reference } = await simulation(scenario);
    assert.deepEqual(verdict.violations, []);
    const ready = [...reference.endState].filter(([name]) => name.endsWith(" shop/web"));
    assert.ok(ready.length === 1 && ready.every(([, text]) => text.includes('"ready": true')));
    const all = plans();
    for (const plan of all.filter((_, at) => at % Math.ceil(all.length / PLANS) === 1)) {
      assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
    }
    for (const number of SEEDED[scenario.name] ?? [])
      assert.deepEqual((await seed(number)).violations, [], `seed ${number}`);
  });
}
