import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { SCENARIOS } from "../../test/simulation/scenarios.ts";

export const USAGE = `npm run simulate -- [options]
  --seeds N         how many seeds to run (100)
  --from N          the first seed (1)
  --seeds-only      without the plans that fail at each effect once, which come first otherwise
  --scenario NAME   ${SCENARIOS.map(({ name }) => name).join(", ")} (${SCENARIOS[0].name})
  --jobs N          processes to spread them over (one for each core)
  --twice           run every seed twice and compare; otherwise every 20th
  --seed N          run this seed alone
  --parts NAMES     play these parts of the story, and not those that each seed draws: rival,heir
  --only KINDS      with --seed: only these kinds of its faults happen: slow,pause
  --shrink          with --seed: find out which kinds of faults it takes for it to fail
  --plan FAULTS     run these faults alone: crash-after@3,lost-reply@5
  --trace           with --seed or --plan: print everything that happened
  --mutants [NAME]  plant bugs, one at a time, and see that seeds find them`;

/** What the command line asks for. */
export interface Arguments {
  readonly seeds: number;
  readonly from: number;
  readonly seedsOnly: boolean;
  readonly scenario: string;
  readonly jobs: number;
  readonly twice: boolean;
  readonly seed: number | undefined;
  readonly plan: string | undefined;
  readonly only: string | undefined;
  readonly parts: string | undefined;
  readonly shrink: boolean;
  readonly trace: boolean;
  readonly mutants: boolean;
  /** Names of mutants; none stands for all. */
  readonly names: readonly string[];
  readonly help: boolean;
}

/** Reads the command line. Throws a TypeError for what it does not know. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      seeds: { type: "string" },
      from: { type: "string", default: "1" },
      "seeds-only": { type: "boolean", default: false },
      scenario: { type: "string", default: SCENARIOS[0].name },
      jobs: { type: "string", default: String(Math.max(1, Math.min(availableParallelism(), 8))) },
      twice: { type: "boolean", default: false },
      seed: { type: "string" },
      plan: { type: "string" },
      only: { type: "string" },
      parts: { type: "string" },
      shrink: { type: "boolean", default: false },
      trace: { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (!SCENARIOS.some(({ name }) => name === values.scenario)) {
    throw new TypeError(`there is no scenario ${values.scenario}`);
  }
  const { seeds = values.mutants ? "10000" : "100", seed, plan, only, parts, ...rest } = values;
  return {
    ...rest,
    seedsOnly: values["seeds-only"],
    plan,
    only,
    parts,
    seeds: count("--seeds", seeds),
    from: count("--from", values.from),
    jobs: count("--jobs", values.jobs),
    seed: seed === undefined ? undefined : count("--seed", seed),
    names: positionals,
  };
}

function count(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${option} takes a whole number, not ${text}`);
  return value;
}
