import { differences } from "./difference.ts";
import { installCrds } from "./install-crds.ts";
import { knownOf } from "./known.ts";
import type { Known } from "./known.ts";
import { judge } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { runCase } from "./run-case.ts";
import { loadTopics } from "./topics.ts";
import type { NamedCase } from "./topics.ts";
import type { World } from "./world.ts";

const AT_A_TIME = 4;

/**
 * Runs every case whose name holds `filter` on both servers and judges them by what is known of that Kubernetes. The outcomes
 * are in the order of the cases.
 */
export async function runDifferential(real: World, embedded: World, version: string, filter = ""): Promise<Outcome[]> {
  const known = knownOf(version);
  const { cases, crds } = await loadTopics(filter);
  await Promise.all([real, embedded].map((world) => installCrds(world, crds)));
  const outcomes = new Map<string, Outcome>();
  const queue = [...cases];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      outcomes.set(next.name, await compare(next, real, embedded, known));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  const unknown = filter === "" ? known.listed.filter((each) => !outcomes.has(each.case)) : [];
  return [
    ...cases.flatMap(({ name }) => outcomes.get(name) ?? []),
    ...unknown.map((each): Outcome => ({
      type: "failed",
      name: each.case,
      why: "known.ts names a case that is not there",
    })),
  ];
}

async function compare(
  { name, namespace, testCase }: NamedCase,
  real: World,
  embedded: World,
  known: Known,
): Promise<Outcome> {
  try {
    const [theirs, ours] = await Promise.all([real, embedded].map((world) => runCase(world, testCase, namespace)));
    const found = testCase.steps.flatMap((_, index) => differences(index + 1, "", theirs?.[index], ours?.[index]));
    return judge(name, found, known);
  } catch (error) {
    return { type: "failed", name, why: error instanceof Error ? error.message : String(error) };
  }
}
