import assert from "node:assert/strict";
import { test } from "node:test";
import { SYSTEM_FAULT_KINDS, SYSTEM_TIMED_FAULT_KINDS } from "../faults/fault-kind.ts";
import { parsePlan } from "../faults/fault-plan.ts";
import { simulation } from "../simulate.ts";
import { shelver, shelverScenario } from "../testing/shelver.ts";

const oraclesOf = (verdict: { readonly violations: readonly { readonly oracle: string }[] }): string[] =>
  verdict.violations.map(({ oracle }) => oracle);

test("a correct controller of another system passes: without faults, with a crash at each effect, and under seeds", async () => {
  const { verdict, plans, planned, seed, reference } = await simulation(shelverScenario());
  assert.deepEqual(verdict.violations, []);
  assert.ok(reference.endState.has("shelf thing of configmaps originals/a"));
  assert.ok(plans().length >= 15);
  for (const plan of plans()) assert.deepEqual((await planned(plan)).violations, [], JSON.stringify(plan));
  for (let n = 1; n <= 30; n++) assert.deepEqual((await seed(n)).violations, [], `seed ${n}`);
});

test("calls to systems are part of the trace, and the same seed gives the same one", async () => {
  const { seed } = await simulation(shelverScenario());
  const { hash, run } = await seed(7);
  assert.equal((await seed(7)).hash, hash);
  assert.ok(run.trace.lines.some((line) => /> \d+ shelf put/.test(line)));
});

test("faults of systems that seeds pick do happen", async () => {
  const { seed } = await simulation(shelverScenario());
  const missing = new Set<string>([
    ...SYSTEM_FAULT_KINDS.filter((kind) => kind.startsWith("system-")),
    ...SYSTEM_TIMED_FAULT_KINDS,
  ]);
  for (let n = 1; n <= 200 && missing.size > 0; n++) {
    for (const key of (await seed(n)).run.coverage.hits.keys()) missing.delete(key.split(" @ ")[0] ?? "");
  }
  assert.deepEqual([...missing], []);
});

test("a controller that makes a thing again since it did not hear of the first is found", async () => {
  const { verdict, planned } = await simulation(shelverScenario(shelver({ withoutToken: true })));
  assert.deepEqual(verdict.violations, []);
  assert.deepEqual(oraclesOf(await planned(parsePlan("lost-reply@1"))), ["end state", "churn"]);
});

test("a controller that forgets by a crash what it made elsewhere is found", async () => {
  const { verdict, planned } = await simulation(shelverScenario(shelver({ forgetful: true })));
  assert.deepEqual(verdict.violations, []);
  assert.deepEqual(oraclesOf(await planned(parsePlan("crash-after@1"))), ["leaks"]);
});

test("a controller that changes another system though nothing changed is found", async () => {
  const { verdict } = await simulation(shelverScenario(shelver({ always: true })));
  assert.deepEqual(oraclesOf(verdict), ["idle writes"]);
});

test("a law is told of all that a system has, after each change", async () => {
  const counts: number[] = [];
  const { verdict } = await simulation({
    ...shelverScenario(),
    law: () => ({
      systems(system, resources) {
        counts.push(resources.size);
        return resources.size > 2 ? `${system} has too much` : undefined;
      },
    }),
  });
  assert.deepEqual(counts.slice(0, 5), [1, 2, 2, 1, 2]);
  assert.deepEqual(
    verdict.violations.map(({ what }) => what.replace(/^at [\d.]+ s: /, "")),
    ["shelf has too much"],
  );
});

test("what was in a system before must be there in the end, as it was", async () => {
  const scenario = shelverScenario();
  const seeded = scenario.systems?.map((definition) => ({
    ...definition,
    async open(...ports: Parameters<typeof definition.open>) {
      const system = await definition.open(...ports);
      const { signal } = new AbortController();
      await system.handle({ do: "put", owner: "nobody", label: "old" }, { signal });
      return system;
    },
  }));
  const { verdict } = await simulation({ ...scenario, systems: seeded ?? [] });
  assert.ok(verdict.violations.some(({ what }) => what.includes("thing of nobody was there before, and no longer")));
});
