import assert from "node:assert/strict";
import { test } from "node:test";
import { FRAME_FAULT_KINDS, TIMED_FAULT_KINDS } from "./faults/fault-kind.ts";
import { parsePlan } from "./faults/fault-plan.ts";
import { simulation } from "./simulate.ts";
import { copierScenario } from "./testing/copier.ts";
import { mirror, mirrorScenario } from "./testing/mirror.ts";

const oraclesOf = (verdict: { readonly violations: readonly { readonly oracle: string }[] }): string[] =>
  verdict.violations.map(({ oracle }) => oracle);

test("the same seed gives the same trace, another seed another one", async () => {
  const { seed } = await simulation(copierScenario);
  const first = await seed(7);
  assert.equal((await seed(7)).hash, first.hash);
  assert.notEqual((await seed(8)).hash, first.hash);
});

test("a correct controller passes: without faults, with a crash at each effect, and under seeds", async () => {
  const { verdict, plans, planned, seed } = await simulation(mirrorScenario());
  assert.deepEqual(verdict.violations, []);
  assert.ok(plans().length >= 15);
  for (const plan of plans()) assert.deepEqual((await planned(plan)).violations, []);
  for (let n = 1; n <= 20; n++) assert.deepEqual((await seed(n)).violations, []);
});

test("a planned fault happens where it was planned, and only there", async () => {
  const { planned } = await simulation(mirrorScenario());
  const { run } = await planned(parsePlan("crash-after@2"));
  assert.equal(run.history.effects[1]?.status, 201);
  assert.deepEqual([...run.coverage.hits], [["crash-after @ create configmaps", 1]]);
  assert.ok(run.trace.lines.some((line) => line.includes("mirror-1   dies")));
  assert.ok(run.trace.lines.some((line) => line.includes("mirror-2   starts")));
});

test("faults that seeds pick do happen", async () => {
  const { seed } = await simulation(copierScenario);
  const missing = new Set<string>([...FRAME_FAULT_KINDS, ...TIMED_FAULT_KINDS, "crash-before", "lost-reply"]);
  for (let n = 1; n <= 100 && missing.size > 0; n++) {
    for (const key of (await seed(n)).run.coverage.hits.keys()) missing.delete(key.split(" @ ")[0] ?? "");
  }
  assert.deepEqual([...missing], []);
});

test("a controller that writes though nothing changed is found", async () => {
  const { verdict } = await simulation(mirrorScenario(mirror({ always: true })));
  assert.ok(oraclesOf(verdict).includes("idle writes"));
});

test("a controller that leaves its objects behind is found", async () => {
  const { verdict } = await simulation(mirrorScenario(mirror({ keeps: true })));
  assert.ok(oraclesOf(verdict).includes("leaks"));
});

test("a controller that takes a failed read for an empty one is found", async () => {
  const { seed } = await simulation(mirrorScenario(mirror({ failedIsEmpty: true })));
  const found = new Set<string>();
  for (let n = 1; n <= 40; n++) for (const oracle of oraclesOf(await seed(n))) found.add(oracle);
  assert.ok(found.has("churn"));
});

test("a controller that ends by an error is found", async () => {
  const { planned } = await simulation(mirrorScenario(mirror({ fragile: true })));
  assert.ok(oraclesOf(await planned(parsePlan("lost-reply@1"))).includes("mishaps"));
});

test("a controller that hangs at the end is found", async () => {
  const { verdict } = await simulation(mirrorScenario(() => ({ run: () => new Promise(() => {}) })));
  assert.ok(oraclesOf(verdict).includes("mishaps"));
});
