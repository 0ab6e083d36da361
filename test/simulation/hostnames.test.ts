import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import { hostnamesScenario } from "./hostnames.ts";

/** Enough to see that the scenario works; `npm run simulate -- --scenario hostnames` runs many more. */
const SMOKE_SEEDS = 2;
/** Of the plans of single faults every so many. */
const EVERY_PLAN = 260;

const hostnames = simulation(hostnamesScenario);

const WHOLE = hostnamesScenario.parts?.map(({ name }) => name) ?? [];

/** Seeds that once failed, in the whole story or in the parts that they drew then, and what each had found. */
const REGRESSIONS: readonly { readonly seed: number; readonly parts?: readonly string[]; readonly found: string }[] = [
  {
    seed: 34,
    found: "a listener that a process with an old cache took away from a hostname that was placed meanwhile",
  },
  { seed: 49, found: "a certificate that was believed gone before it was known everywhere" },
  { seed: 54, found: "a deletion that waited for a clock that had been put back" },
  {
    seed: 259,
    parts: ["heir"],
    found: "a certificate that stayed on a load balancer, since the reply to the write that put it there was lost",
  },
  {
    seed: 703,
    parts: ["rival"],
    found: "a fault of the simulator: a process called idle that waits before it tries a write again",
  },
  { seed: 4112, found: "a certificate that was deleted while a load balancer was still to get it" },
  { seed: 5238, found: "a hostname that waited for name servers though its certificate was issued" },
];

test("hostnames pass: without faults, with a single one at an effect, and with those that seeds pick", async () => {
  const { verdict, seed, plans, planned, reference } = await hostnames;
  assert.deepEqual(verdict.violations, []);
  assert.ok(reference.endState.has("aws certificate news.example.com"));
  assert.ok(reference.endState.has("aws record news.example.com. A"));
  for (const plan of plans().filter((_, at) => at % EVERY_PLAN === 0)) {
    assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  }
  for (let n = 1; n <= SMOKE_SEEDS; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});

for (const { seed: n, parts = WHOLE, found } of REGRESSIONS) {
  test(`the seed passes that once showed ${found}`, async () => {
    const { seed } = await hostnames;
    assert.deepEqual((await seed(n, undefined, parts)).violations, []);
  });
}
