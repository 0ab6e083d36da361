import { parsePlan } from "@gatewright/runtime/simulation";
import type { FaultKind, Simulation, Verdict } from "@gatewright/runtime/simulation";
import type { Report, Task } from "./messages.ts";

/** Does a task. The run without faults has been done already. */
export function runTask(simulation: Simulation, { seed, plan, only, parts }: Task): Promise<Verdict> | Verdict {
  if (plan !== undefined) return simulation.planned(parsePlan(plan));
  const played = parts?.split(",");
  if (seed === undefined) return played === undefined ? simulation.verdict : simulation.calm(played);
  return simulation.seed(seed, only === undefined ? undefined : new Set(only.split(",") as FaultKind[]), played);
}

/** Does a task, twice if asked to, and tells of it. */
export async function reportTask(simulation: Simulation, task: Task): Promise<Report> {
  const { violations, hash, parts, run } = await runTask(simulation, task);
  const found = [...violations];
  if (task.twice === true) {
    const again = await runTask(simulation, task);
    if (again.hash !== hash) {
      found.push({ oracle: "determinism", what: `the same run gave another trace: ${again.hash} instead of ${hash}` });
    }
  }
  return {
    kind: "ran",
    task,
    violations: found,
    hash,
    faults: run.plan.about,
    parts: parts?.join(" "),
    hits: [...run.coverage.hits],
    moments: run.moments,
  };
}
