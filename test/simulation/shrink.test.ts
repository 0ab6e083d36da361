import assert from "node:assert/strict";
import { test } from "node:test";
import { simulation } from "@gatewright/runtime/simulation";
import type { FaultKind } from "@gatewright/runtime/simulation";
import { mirror, mirrorScenario } from "../../packages/runtime/src/simulation/testing/mirror.ts";
import { shrink } from "../../scripts/simulation/shrink.ts";

test("a failing seed is shrunk to kinds of faults that still make it fail, none of which can be left out", async () => {
  const simulated = await simulation(mirrorScenario(mirror({ fragile: true })));
  let failing = 1;
  while ((await simulated.seed(failing)).violations.length === 0) failing++;
  const found = await shrink(simulated, failing);
  assert.ok(found !== undefined);
  assert.deepEqual((await simulated.seed(failing, new Set(found.kinds))).violations, found.verdict.violations);
  for (const kind of found.kinds) {
    const fewer: ReadonlySet<FaultKind> = new Set(found.kinds.filter((other) => other !== kind));
    assert.deepEqual((await simulated.seed(failing, fewer)).violations, [], kind);
  }
});

test("a seed that passes has nothing to shrink", async () => {
  assert.equal(await shrink(await simulation(mirrorScenario()), 1), undefined);
});
