import type { FaultKind } from "./faults/fault-kind.ts";
import { listedFaults, noFaults } from "./faults/fault-plan.ts";
import type { PlannedFault } from "./faults/fault-plan.ts";
import { onlyKinds } from "./faults/only-kinds.ts";
import { swarm } from "./faults/swarm.ts";
import { judge } from "./oracles/index.ts";
import type { Reference, Violation } from "./oracles/index.ts";
import { layGround } from "./ground.ts";
import type { Scenario } from "./scenario.ts";
import { runWorld } from "./world.ts";
import type { WorldOptions, WorldRun } from "./world.ts";

/** One simulated run and the judgement on it. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** SHA-256 of all that happened. */
  readonly hash: string;
  readonly run: WorldRun;
}

const IDLE_MS = 20_000;
/** Long idle times are costly where leases are renewed, so few seeds have them: one of so many, for so long. */
const LONG_IDLE = [
  { every: 10_000, ms: 24 * 3_600_000 },
  { every: 100, ms: 15 * 60_000 },
  { every: 10, ms: 2 * 60_000 },
] as const;
/** The seed of runs without faults, and of planned ones, which begin alike. */
const CALM_SEED = 0;
/** The run without faults is idle for as long as this seed's. */
const CALM_IDLE = 10;

/** A scenario with its run without faults, by which all others are judged. */
export interface Simulation {
  readonly scenario: Scenario;
  readonly reference: Reference;
  /** Violations of the run without faults itself. */
  readonly verdict: Verdict;
  /** Faults that the seed picks; or, of these, only some kinds. */
  readonly seed: (seed: number, only?: ReadonlySet<FaultKind>) => Promise<Verdict>;
  /** Exactly these faults. */
  readonly planned: (faults: readonly PlannedFault[]) => Promise<Verdict>;
  /** A crash before, after and a lost reply at every effect of the run without faults. */
  readonly plans: () => readonly (readonly PlannedFault[])[];
}

/** Runs the scenario once without faults, to know what it should come to. */
export async function simulation(scenario: Scenario): Promise<Simulation> {
  const ground = await layGround(scenario);
  const run = (options: Omit<WorldOptions, "scenario" | "ground">): Promise<WorldRun> =>
    runWorld({ scenario, ground, ...options });
  const calm = await run({ seed: CALM_SEED, plan: () => noFaults, idleMs: idleMs(scenario, CALM_IDLE) });
  const reference: Reference = calm.history;
  const verdictOf = (run: WorldRun): Verdict => ({
    violations: judge(run.history, reference),
    hash: run.trace.digest(),
    run,
  });
  const verdict = verdictOf(calm);
  const target = reference.endState;
  return {
    scenario,
    reference,
    verdict,
    async seed(seed, only) {
      const plan: WorldOptions["plan"] = (dice, world) => {
        const all = swarm(dice, world);
        return only === undefined ? all : onlyKinds(all, only);
      };
      return verdictOf(await run({ seed, plan, target, idleMs: idleMs(scenario, seed) }));
    },
    planned: async (faults) =>
      verdictOf(await run({ seed: CALM_SEED, plan: () => listedFaults(faults), target, idleMs: IDLE_MS })),
    plans() {
      const before = reference.effects.filter(({ sentAt }) => sentAt <= calm.history.calmAt);
      return before.flatMap(({ sentAt }, at) =>
        sentAt < (scenario.calmMs ?? 0)
          ? []
          : (["crash-before", "crash-after", "lost-reply"] as const).map((kind) => [{ kind, effect: at + 1 }]),
      );
    },
  };
}

function idleMs(scenario: Scenario, seed: number): number {
  return scenario.idleMs ?? LONG_IDLE.find(({ every }) => seed % every === 0)?.ms ?? IDLE_MS;
}
