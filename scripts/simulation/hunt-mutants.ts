import { fileURLToPath } from "node:url";
import { MUTANTS } from "../../test/simulation/mutants.ts";
import type { Mutant } from "../../test/simulation/mutants.ts";
import type { Arguments } from "./arguments.ts";
import { replayOptions } from "./messages.ts";
import type { Task } from "./messages.ts";
import { runPool } from "./pool.ts";
import type { Ran } from "./pool.ts";

const HOOK = fileURLToPath(new URL("mutate.ts", import.meta.url));

/** Bugs that make runs depend on those before them show when one is run again. */
const TWICE_EVERY = 20;

type Hunt = Pick<Arguments, "from" | "seeds" | "jobs" | "names">;

/** Plants each bug and runs until one run shows it. Returns whether all were found. */
export async function huntMutants({ jobs, names, ...hunt }: Hunt): Promise<boolean> {
  const chosen = MUTANTS.filter(({ name, open }) => (names.length === 0 ? open !== true : names.includes(name)));
  const waiting = [...chosen];
  let missed = 0;
  const hunter = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      if (!(await caught(mutant, hunt))) missed++;
    }
  };
  await Promise.all(Array.from({ length: jobs }, hunter));
  console.log(`${missed === 0 ? "ok" : "FAIL"} ${chosen.length - missed} of ${chosen.length} planted bugs found`);
  return missed === 0;
}

async function caught(mutant: Mutant, { from, seeds }: Omit<Hunt, "jobs" | "names">): Promise<boolean> {
  let found: Ran | undefined;
  let runs = 0;
  await runPool({
    scenario: mutant.scenario,
    jobs: 1,
    execArgv: ["--import", HOOK],
    env: { SIMULATION_MUTANT: mutant.name },
    *tasks(plans): Generator<Task, void> {
      yield {};
      for (let seed = from, at = 0; seed < from + seeds; seed++, at++) {
        yield { seed, twice: seed % TWICE_EVERY === 0 };
        const plan = plans[at];
        if (plan !== undefined) yield { plan };
      }
    },
    ran(report) {
      runs++;
      if (report.violations.length > 0) found ??= report;
      return found === undefined;
    },
  });
  const [first] = found?.violations ?? [];
  if (found === undefined || first === undefined) console.log(`MISSED ${mutant.name}: ${runs} runs show nothing`);
  else
    console.log(
      `found  ${mutant.name}: run ${runs}, ${replayOptions(found.task)}, ${first.oracle}: ${first.what.slice(0, 160)}`,
    );
  return found !== undefined;
}
