import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rollingStep } from "./rolling-update.ts";
import type { RolloutBounds } from "./rollout-bounds.ts";
import type { Size } from "./size.ts";

const size = (name: string, replicas: number, available = replicas, actual = replicas): Size => ({
  name,
  replicas,
  actual,
  available,
  createdAt: name === "new" ? 9 : Number(name.slice(1)),
  settled: true,
});

const TABLE: readonly {
  readonly name: string;
  readonly bounds: RolloutBounds;
  readonly current: Size;
  readonly old: readonly Size[];
  readonly expected: Record<string, number>;
}[] = [
  {
    name: "the new one grows by the surge",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 0),
    old: [size("o1", 10)],
    expected: { new: 3 },
  },
  {
    name: "then the old one shrinks by what may be missing",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 3, 0),
    old: [size("o1", 10)],
    expected: { o1: 8 },
  },
  {
    name: "pods that are not gone yet take up room",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 3, 0),
    old: [size("o1", 8, 8, 10)],
    expected: {},
  },
  {
    name: "nothing grows while it cannot be told how many pods there are",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 3, 0),
    old: [{ ...size("o1", 8), settled: false }],
    expected: {},
  },
  {
    name: "once they are gone the new one grows again",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 3, 0),
    old: [size("o1", 8)],
    expected: { new: 5 },
  },
  {
    name: "nothing moves while new pods do not become available",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 5, 0),
    old: [size("o1", 8)],
    expected: {},
  },
  {
    name: "old pods that are not available go first, of the oldest too",
    bounds: { desired: 10, maxSurge: 3, maxUnavailable: 2 },
    current: size("new", 0),
    old: [size("o1", 8), size("o2", 5, 0)],
    expected: { o2: 0 },
  },
  {
    name: "a Deployment that was made smaller has its new one cut",
    bounds: { desired: 2, maxSurge: 1, maxUnavailable: 0 },
    current: size("new", 5),
    old: [],
    expected: { new: 2 },
  },
  {
    name: "with no pods wanted the old ones go",
    bounds: { desired: 0, maxSurge: 1, maxUnavailable: 0 },
    current: size("new", 0),
    old: [size("o1", 3)],
    expected: { o1: 0 },
  },
];

for (const { name, bounds, current, old, expected } of TABLE) {
  test(`a rolling update: ${name}`, () => {
    const resizes = rollingStep(bounds, current, old);
    assert.deepEqual(Object.fromEntries(resizes.map(({ name, to }) => [name, to])), expected);
  });
}

/** A ReplicaSet with its pods: whether each is available. `told` is what its status says, which is only renewed now and then. */
interface Model {
  readonly name: string;
  readonly createdAt: number;
  replicas: number;
  pods: boolean[];
  told: { actual: number; available: number };
  /** Whether it has worked since it was resized. */
  settled: boolean;
}

const available = (models: readonly Model[]): number => models.flatMap(({ pods }) => pods).filter(Boolean).length;
const total = (models: readonly Model[]): number => models.flatMap(({ pods }) => pods).length;

/** What a ReplicaSet controller does: pods that are not available go first. */
function work(model: Model): void {
  toil(model);
  model.settled = true;
  tell(model);
}

/** The same, and then it crashes before it has told. */
function toil(model: Model): void {
  model.pods.sort((a, b) => Number(b) - Number(a));
  model.pods.length = Math.min(model.pods.length, model.replicas);
  while (model.pods.length < model.replicas) model.pods.push(false);
}

function tell(model: Model): void {
  model.told = { actual: model.pods.length, available: model.pods.filter(Boolean).length };
}

const bounds = fc
  .record({ desired: fc.integer({ min: 0, max: 12 }), maxSurge: fc.nat(4), maxUnavailable: fc.nat(4) })
  .map(({ desired, maxSurge, maxUnavailable }) => ({
    desired,
    maxSurge,
    maxUnavailable: Math.min(maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable, desired),
  }));
const moves = fc.array(
  fc.record({
    which: fc.nat(9),
    what: fc.constantFrom("roll", "roll", "work", "work", "toil", "tell", "ready", "ready", "die"),
    pod: fc.nat(20),
  }),
  { maxLength: 120 },
);

test("at every step of a rolling update enough pods are available and not too many are there, and it ends", () => {
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 3 }), fc.boolean(), moves, (limits, olds, isTold, script) => {
      const models: Model[] = Array.from({ length: olds }, (_, at) => {
        // The first holds all pods that are wanted; others are remains of rollouts that never got on.
        const pods = Array.from({ length: at === 0 ? limits.desired : 0 }, () => true);
        const model: Model = {
          name: `o${at}`,
          createdAt: at,
          replicas: pods.length,
          pods,
          told: { actual: 0, available: 0 },
          settled: true,
        };
        // Or nothing was ever told of it.
        if (isTold) tell(model);
        else model.settled = false;
        return model;
      });
      const fresh: Model = {
        name: "new",
        createdAt: 9,
        replicas: 0,
        pods: [],
        told: { actual: 0, available: 0 },
        settled: true,
      };
      const all: Model[] = [...models, fresh];
      const roll = (): boolean => {
        const sizes = all.map(({ name, createdAt, replicas, told, settled }) => ({
          name,
          createdAt,
          replicas,
          settled,
          actual: told.actual,
          available: Math.min(told.available, replicas),
        }));
        const resizes = rollingStep(limits, sizes.at(-1)!, sizes.slice(0, -1));
        for (const { name, to } of resizes) {
          const model = all.find((each) => each.name === name)!;
          [model.replicas, model.settled] = [to, false];
        }
        return resizes.length > 0;
      };
      /** Availability that dying pods cost is not the rollout's doing. */
      let died = 0;
      const judge = (): void => {
        assert.ok(total(all) <= limits.desired + limits.maxSurge, `${total(all)} pods`);
        const least = limits.desired - limits.maxUnavailable - died;
        assert.ok(available(all) >= least, `${available(all)} of at least ${least}`);
      };
      for (const { which, what, pod } of script) {
        const model = all[which % all.length]!;
        if (what === "roll") roll();
        if (what === "work") work(model);
        if (what === "toil") toil(model);
        if (what === "tell") tell(model);
        if (what === "ready" && model.pods.length > 0) model.pods[pod % model.pods.length] = true;
        if (what === "die" && model.pods.length > 0) {
          const at = pod % model.pods.length;
          if (model.pods[at] === true) died++;
          model.pods[at] = false;
        }
        judge();
      }
      for (let calm = 0; calm < 200; calm++) {
        const moved = roll();
        for (const model of all) work(model);
        fresh.pods.fill(true);
        for (const model of all) tell(model);
        judge();
        if (!moved && fresh.replicas === limits.desired && total(models) === 0) return;
      }
      assert.fail("it did not end");
    }),
    { numRuns: 2000 },
  );
});
