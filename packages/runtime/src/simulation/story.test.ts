import assert from "node:assert/strict";
import { test } from "node:test";
import { dice } from "./dice.ts";
import type { Scenario, Step } from "./scenario.ts";
import { simulation } from "./simulate.ts";
import { drawParts, storyOf } from "./story.ts";
import { mirror, mirrorScenario } from "./testing/mirror.ts";

const makes = (name: string, at: number): Step => ({
  at,
  create: { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } },
});

const scenario: Scenario = {
  ...mirrorScenario(),
  steps: [makes("common", 1_000)],
  parts: [
    { name: "early", steps: [makes("shared", 2_000), makes("early", 12_000)] },
    { name: "late", steps: [makes("late", 60_000), makes("last", 90_000)], calmMs: 7_000 },
    { name: "both", steps: [makes("shared", 2_000), makes("both", 30_000)] },
  ],
  longestWaitMs: 20_000,
  calmMs: 5_000,
};

const told = (names?: readonly string[]): readonly (readonly [string, number])[] =>
  storyOf(scenario, names).scenario.steps.map((step) => [
    "create" in step ? (step.create.metadata.name ?? "") : "",
    step.at,
  ]);

test("the whole story has all steps at their times, each once", () => {
  assert.deepEqual(told(), [
    ["common", 1_000],
    ["shared", 2_000],
    ["early", 12_000],
    ["both", 30_000],
    ["late", 60_000],
    ["last", 90_000],
  ]);
  assert.equal(storyOf(scenario).scenario.calmMs, 5_000);
});

test("a part that is played without the others begins sooner and waits less", () => {
  assert.deepEqual(told(["late"]), [
    ["common", 1_000],
    ["late", 2_000],
    ["last", 22_000],
  ]);
  assert.equal(storyOf(scenario, ["late"]).scenario.calmMs, 7_000);
  assert.equal(storyOf(scenario, ["early"]).scenario.calmMs, 0);
});

test("what parts have in common is done once", () => {
  assert.deepEqual(told(["both", "early"]), [
    ["common", 1_000],
    ["shared", 2_000],
    ["early", 12_000],
    ["both", 22_000],
  ]);
});

test("a part that is not there is refused", () => {
  assert.throws(() => storyOf(scenario, ["missing"]), TypeError);
});

test("seeds draw one part, two, or all, and the same ones each time", () => {
  const sizes = new Map<number, number>();
  const drawn = new Set<string>();
  for (let seed = 1; seed <= 500; seed++) {
    const parts = drawParts(scenario, dice(seed)) ?? [];
    assert.deepEqual(drawParts(scenario, dice(seed)), parts);
    sizes.set(parts.length, (sizes.get(parts.length) ?? 0) + 1);
    drawn.add(parts.join(" "));
  }
  assert.ok((sizes.get(1) ?? 0) > (sizes.get(2) ?? 0) && (sizes.get(2) ?? 0) > (sizes.get(3) ?? 0));
  assert.equal(drawn.size, 7);
  assert.equal(drawParts(mirrorScenario(), dice(1)), undefined);
});

test("a run of some parts is judged by the run without faults of the same parts, and shows them", async () => {
  const { steps, ...rest } = mirrorScenario();
  const parts = [
    { name: "all that a mirror sees", steps },
    { name: "another", steps: [makes("another", 5_000)] },
  ];
  const { verdict, seed, calm } = await simulation({ ...rest, steps: [], parts });
  assert.deepEqual(verdict.violations, []);
  for (let n = 1; n <= 10; n++) {
    const ran = await seed(n);
    assert.deepEqual(ran.violations, [], `seed ${n}`);
    assert.ok(ran.run.trace.lines[0]?.endsWith(`parts: ${ran.parts?.join(" ")}`));
  }
  const alone = await seed(1, undefined, ["another"]);
  assert.deepEqual(alone.parts, ["another"]);
  assert.deepEqual(alone.run.history.endState, (await calm(["another"])).run.history.endState);
});

test("what is wrong without faults in the parts of a seed is told with the seed", async () => {
  const { steps, ...rest } = mirrorScenario(mirror({ keeps: true }));
  const { seed } = await simulation({
    ...rest,
    steps: [],
    parts: [
      { name: "one", steps },
      { name: "two", steps: [] },
    ],
  });
  const { violations } = await seed(1, new Set(), ["one"]);
  assert.ok(violations.some(({ oracle, what }) => oracle === "leaks" && what.startsWith("without faults: ")));
});
