import { parseArgs } from "node:util";
import { describeOutcome } from "../test/differential/report.ts";
import { runDifferential } from "../test/differential/run.ts";
import { loadTopics } from "../test/differential/topics.ts";
import { startEmbeddedWorld, startRealWorld } from "../test/differential/worlds.ts";
import { KUBE_VARIABLES } from "../test/real/kube.ts";
import { runSuites, suiteFiles } from "../test/real/run-suites.ts";
import type { Counts } from "../test/real/run-suites.ts";
import { CURRENT_KUBERNETES, PartMissingError, upKube } from "../testbed/index.ts";

const USAGE = `npm run test:real -- [--kube <version>] [--no-skips] [text]

Runs what needs real parts: the differential cases, then the suites of test/real. Brings up what they need and takes it down.

text              only cases whose names hold it, and suites whose paths hold it
--kube <version>  the Kubernetes to compare with and to run suites on (${CURRENT_KUBERNETES})
--no-skips        what is skipped for want of a part fails the run`;

/** Compares both servers case by case. */
async function differential(version: string, filter: string): Promise<Counts> {
  const { cases } = await loadTopics(filter);
  if (cases.length === 0) return NOTHING;
  try {
    await using real = await startRealWorld(version, console.log);
    await using embedded = await startEmbeddedWorld();
    const started = performance.now();
    const outcomes = await runDifferential(real, embedded, version, filter);
    const count = (type: string): number => outcomes.filter((outcome) => outcome.type === type).length;
    for (const line of outcomes.flatMap(describeOutcome)) console.log(line);
    const [same, known] = [count("same"), count("known")];
    const failed = outcomes.length - same - known;
    console.log(
      `differential: ${outcomes.length} cases against kube-apiserver ${version} in ${secondsSince(started)} s: ` +
        `${same} agree, ${known} differ as listed, ${failed} differ`,
    );
    return { passed: same + known, failed, skipped: 0 };
  } catch (error) {
    if (!(error instanceof PartMissingError)) throw error;
    console.log(`differential: skipped ${cases.length} cases: ${error.message}`);
    return { ...NOTHING, skipped: cases.length };
  }
}

/** Runs the suites. All share one control plane of their own: what the cases leave behind would be in their way. */
async function suites(version: string, filter: string): Promise<Counts> {
  const files = suiteFiles(filter);
  if (files.length === 0) return NOTHING;
  await using resources = new AsyncDisposableStack();
  try {
    const kube = resources.use(await upKube({ version, progress: console.log }));
    process.env[KUBE_VARIABLES.kubeconfig] = kube.kubeconfig;
    process.env[KUBE_VARIABLES.version] = version;
  } catch (error) {
    if (!(error instanceof PartMissingError)) throw error;
    process.env[KUBE_VARIABLES.missing] = error.message;
  }
  const started = performance.now();
  const counts = await runSuites(files);
  const { passed, failed, skipped } = counts;
  console.log(
    `suites: ${files.length} on Kubernetes ${version} in ${secondsSince(started)} s: ` +
      `${passed} tests passed, ${failed} failed, ${skipped} skipped`,
  );
  return counts;
}

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 1000);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      kube: { type: "string", default: CURRENT_KUBERNETES },
      "no-skips": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  if (values.help || positionals.length > 1) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const [filter = ""] = positionals;
  const parts = [await differential(values.kube, filter), await suites(values.kube, filter)];
  const sum = (key: keyof Counts): number => parts.reduce((total, counts) => total + counts[key], 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  if (passed + failed + skipped === 0) console.error(`no case and no suite holds ${filter}`);
  if (skipped > 0 && values["no-skips"]) console.error("something was skipped, and nothing may be");
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || passed + skipped === 0 || (skipped > 0 && values["no-skips"]) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Wrong arguments are told in one line; anything else is a fault whose stack helps.
  const usage = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  console.error(usage ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = usage ? 2 : 1;
}
