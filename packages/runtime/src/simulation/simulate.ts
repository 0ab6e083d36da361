import { listedFaults, noFaults } from "./faults/fault-plan.ts";
import type { PlannedFault } from "./faults/fault-plan.ts";
import { swarm } from "./faults/swarm.ts";
import { judge } from "./oracles/index.ts";
import type { Reference, Violation } from "./oracles/index.ts";
import type { Scenario } from "./scenario.ts";
import { runWorld } from "./world.ts";
import type { WorldRun } from "./world.ts";

/** One simulated run and the judgement on it. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** SHA-256 of all that happened. */
  readonly hash: string;
  readonly run: WorldRun;
}

const IDLE_MS = 120_000;
const LONG_IDLE_MS = 24 * 3_600_000;
const LONG_IDLE_EVERY = 500;
/** The seed of runs without faults, and of planned ones, which begin alike. */
const CALM_SEED = 0;

/** A scenario with its run without faults, by which all others are judged. */
export interface Simulation {
  readonly scenario: Scenario;
  readonly reference: Reference;
  /** Violations of the run without faults itself. */
  readonly verdict: Verdict;
  /** Faults that the seed picks. */
  seed(seed: number): Promise<Verdict>;
  /** Exactly these faults. */
  planned(faults: readonly PlannedFault[]): Promise<Verdict>;
  /** A crash before, after and a lost reply at every effect of the run without faults. */
  plans(): readonly (readonly PlannedFault[])[];
}

/** Runs the scenario once without faults, to know what it should come to. */
export async function simulation(scenario: Scenario): Promise<Simulation> {
  const calm = await runWorld({ scenario, seed: CALM_SEED, plan: () => noFaults, idleMs: idleMs(scenario, CALM_SEED) });
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
    seed: async (seed) =>
      verdictOf(await runWorld({ scenario, seed, plan: swarm, target, idleMs: idleMs(scenario, seed) })),
    planned: async (faults) =>
      verdictOf(
        await runWorld({ scenario, seed: CALM_SEED, plan: () => listedFaults(faults), target, idleMs: IDLE_MS }),
      ),
    plans() {
      const before = reference.effects.filter(({ sentAt }) => sentAt <= calm.history.calmAt);
      return before.flatMap((_, at) =>
        (["crash-before", "crash-after", "lost-reply"] as const).map((kind) => [{ kind, effect: at + 1 }]),
      );
    },
  };
}

function idleMs(scenario: Scenario, seed: number): number {
  return scenario.idleMs ?? (seed % LONG_IDLE_EVERY === 0 ? LONG_IDLE_MS : IDLE_MS);
}
