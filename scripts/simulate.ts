import { simulation } from "@gatewright/runtime/simulation";
import type { Scenario } from "@gatewright/runtime/simulation";
import { SCENARIOS } from "../test/simulation/scenarios.ts";
import { USAGE, readArguments } from "./simulation/arguments.ts";
import type { Arguments } from "./simulation/arguments.ts";
import { replayOptions } from "./simulation/messages.ts";
import type { Task } from "./simulation/messages.ts";
import { huntMutants } from "./simulation/hunt-mutants.ts";
import { runPool } from "./simulation/pool.ts";
import { runTask } from "./simulation/run-task.ts";
import { shrink } from "./simulation/shrink.ts";
import { Tally } from "./simulation/tally.ts";

/** Every so many seeds one is run twice, to see that it is the same. */
const TWICE_EVERY = 20;
const TRACE_TAIL = 40;

const asked = readOrTell();
if (asked === undefined) process.exitCode = 2;
else if (asked.help) console.log(USAGE);
else if (!(await main(asked))) process.exitCode = 1;

function readOrTell(): Arguments | undefined {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\nnpm run simulate -- --help tells what there is`);
    return undefined;
  }
}

async function main({ seed, plan, only, mutants, shrink: shrinks, ...rest }: Arguments): Promise<boolean> {
  if (mutants) return huntMutants(rest);
  if (plan !== undefined) return one({ plan }, rest);
  if (seed === undefined) return many(rest);
  if (shrinks) return smaller(seed, rest);
  const parts = rest.parts === undefined ? {} : { parts: rest.parts };
  return one(seed === 0 ? parts : { seed, ...parts, ...(only !== undefined && { only }) }, rest);
}

function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((known) => known.name === name);
  if (scenario === undefined) throw new TypeError(`there is no scenario ${name}`);
  return scenario;
}

/** One run, with all or the end of its trace. */
async function one(task: Task, { scenario: name, trace }: Pick<Arguments, "scenario" | "trace">): Promise<boolean> {
  const { violations, hash, parts, run } = await runTask(await simulation(scenarioNamed(name)), task);
  const { lines } = run.trace;
  if (trace || violations.length > 0) console.log(lines.slice(trace ? 0 : -TRACE_TAIL).join("\n"));
  for (const { oracle, what } of violations) console.log(`FAIL ${oracle}: ${what}`);
  const played = parts === undefined ? "" : ` (parts: ${parts.join(" ")})`;
  console.log(`${violations.length === 0 ? "ok" : "FAIL"} ${name} ${replayOptions(task)}${played} ${hash}`);
  return violations.length === 0;
}

/** A failing seed with as few kinds of faults as it takes. */
async function smaller(seed: number, { scenario: name }: Pick<Arguments, "scenario">): Promise<boolean> {
  const found = await shrink(await simulation(scenarioNamed(name)), seed);
  if (found === undefined) {
    console.log(`ok ${name} --seed ${seed}`);
    return true;
  }
  const { kinds, verdict } = found;
  for (const { oracle, what } of verdict.violations) console.log(`FAIL ${oracle}: ${what}`);
  const options = replayOptions({ seed, only: kinds.join(",") });
  console.log(`it takes: ${kinds.join(", ") || "no fault at all"}`);
  console.log(`replay: npm run simulate -- --scenario ${name} ${options} --trace`);
  return false;
}

/** The run without faults, a crash at each effect, then seeds. */
async function many(options: Omit<Arguments, "seed" | "plan" | "only" | "shrink" | "mutants">): Promise<boolean> {
  const { scenario, from, seeds, seedsOnly, jobs, twice, parts } = options;
  const played = parts === undefined ? {} : { parts };
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const tally = new Tally(scenario);
  let shown = 0;
  await runPool({
    scenario,
    jobs,
    *tasks(plans) {
      yield { twice: true };
      for (const plan of seedsOnly ? [] : plans) yield { plan };
      for (let seed = from; seed < from + seeds; seed++) {
        yield { seed, ...played, twice: twice || seed % TWICE_EVERY === 0 };
      }
    },
    ran(report) {
      tally.add(report);
      const terminal = process.stdout.isTTY;
      if (seconds() - shown > (terminal ? 0.5 : 60)) {
        shown = seconds();
        const line = `${tally.runs} runs, ${(tally.runs / shown).toFixed(0)} a second, ${tally.failed} failed`;
        process.stdout.write(terminal ? `\r${line} ` : `${line}\n`);
      }
      return true;
    },
  });
  const well = tally.summary();
  console.log(`${well ? "ok" : "FAIL"} ${scenario}: ${seeds} seeds in ${seconds().toFixed(0)} s`);
  return well;
}
