import { dice } from "./dice.ts";
import type { FaultKind } from "./faults/fault-kind.ts";
import { listedFaults, noFaults } from "./faults/fault-plan.ts";
import type { FaultPlan, PlannedFault } from "./faults/fault-plan.ts";
import { onlyKinds } from "./faults/only-kinds.ts";
import { swarm } from "./faults/swarm.ts";
import { judge } from "./oracles/index.ts";
import type { Reference, Violation } from "./oracles/index.ts";
import { layGround } from "./ground.ts";
import type { Scenario } from "./scenario.ts";
import { drawParts, storyOf } from "./story.ts";
import type { Story } from "./story.ts";
import { runWorld } from "./world.ts";
import type { WorldOptions, WorldRun } from "./world.ts";

/** One simulated run and the judgement on it. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** SHA-256 of all that happened. */
  readonly hash: string;
  /** The parts that were played. Undefined: the scenario has none. */
  readonly parts: readonly string[] | undefined;
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
  /** Of the whole story. */
  readonly reference: Reference;
  /** Violations of the run without faults itself. */
  readonly verdict: Verdict;
  /** The run without faults of some parts. */
  readonly calm: (parts: readonly string[]) => Promise<Verdict>;
  /** Faults that the seed picks, or, of these, only some kinds; in the parts that it picks, or in others. */
  readonly seed: (seed: number, only?: ReadonlySet<FaultKind>, parts?: readonly string[]) => Promise<Verdict>;
  /** Exactly these faults, in the whole story. */
  readonly planned: (faults: readonly PlannedFault[]) => Promise<Verdict>;
  /** A crash before, after and a lost reply at every effect of the run without faults. */
  readonly plans: () => readonly (readonly PlannedFault[])[];
}

/** Runs the scenario once without faults, to know what it should come to. */
export async function simulation(scenario: Scenario): Promise<Simulation> {
  const ground = await layGround(scenario);
  const run = (story: Story, options: Omit<WorldOptions, "scenario" | "parts" | "ground">): Promise<WorldRun> =>
    runWorld({ ...story, ground, ...options });
  const calmly = async (story: Story, idle: number): Promise<Verdict> => {
    const calm = await run(story, { seed: CALM_SEED, plan: () => noFaults, idleMs: idle });
    return verdictOf(story, calm, calm.history);
  };
  const whole = storyOf(scenario);
  const verdict = await calmly(whole, idleMs(scenario, CALM_IDLE));
  const { history: calm } = verdict.run;
  const judged = (story: Story, { violations, run }: Verdict): Judged => {
    const { endState, changes, effects } = run.history;
    return { story, violations, reference: { endState, changes, effects } };
  };
  /** By the names of the parts. */
  const known = new Map([[namesOf(whole.parts), Promise.resolve(judged(whole, verdict))]]);
  const judgedBy = (parts: readonly string[] | undefined): Promise<Judged> => {
    const story = storyOf(scenario, parts);
    const names = namesOf(story.parts);
    const found = known.get(names) ?? calmly(story, scenario.idleMs ?? IDLE_MS).then((calm) => judged(story, calm));
    known.set(names, found);
    return found;
  };
  return {
    scenario,
    reference: calm,
    verdict,
    calm: (parts) => calmly(storyOf(scenario, parts), idleMs(scenario, CALM_IDLE)),
    async seed(seed, only, parts = drawParts(scenario, dice(seed, scenario.name).fork("parts"))) {
      const { story, reference, violations } = await judgedBy(parts);
      const plan: WorldOptions["plan"] = (dice, world) => {
        const all = swarm(dice, world);
        return only === undefined ? all : onlyKinds(all, only);
      };
      const ran = await run(story, { seed, plan, target: reference.endState, idleMs: idleMs(scenario, seed) });
      const found = verdictOf(story, ran, reference);
      // Those of the whole story are told once, with its own run.
      if (reference.endState === calm.endState) return found;
      const before = violations.map(({ oracle, what }) => ({ oracle, what: `without faults: ${what}` }));
      return { ...found, violations: [...before, ...found.violations] };
    },
    async planned(faults) {
      const plan = (): FaultPlan => listedFaults(faults);
      const ran = await run(whole, { seed: CALM_SEED, plan, target: calm.endState, idleMs: IDLE_MS });
      return verdictOf(whole, ran, calm);
    },
    plans() {
      const before = calm.effects.filter(({ sentAt }) => sentAt <= calm.calmAt);
      return before.flatMap(({ sentAt }, at) =>
        sentAt < (scenario.calmMs ?? 0)
          ? []
          : (["crash-before", "crash-after", "lost-reply"] as const).map((kind) => [{ kind, effect: at + 1 }]),
      );
    },
  };
}

/** What runs of a story are judged by. */
interface Judged {
  readonly story: Story;
  readonly reference: Reference;
  /** Of the run without faults itself. */
  readonly violations: readonly Violation[];
}

function namesOf(parts: readonly string[] | undefined): string {
  return (parts ?? []).join(" ");
}

function verdictOf({ parts }: Story, run: WorldRun, reference: Reference): Verdict {
  return { violations: judge(run.history, reference), hash: run.trace.digest(), parts, run };
}

function idleMs(scenario: Scenario, seed: number): number {
  return scenario.idleMs ?? LONG_IDLE.find(({ every }) => seed % every === 0)?.ms ?? IDLE_MS;
}
