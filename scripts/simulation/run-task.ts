import { parsePlan } from "@gatewright/runtime/simulation";
import type { FaultKind, Simulation, Verdict } from "@gatewright/runtime/simulation";
import type { Report, Task } from "./messages.ts";

/** Does a task. The run without faults has been done already. */
export function runTask(simulation: Simulation, { seed, plan, only }: Task): Promise<Verdict> | Verdict {
  if (plan !== undefined) return simulation.planned(parsePlan(plan));
  if (seed === undefined) return simulation.verdict;
  return simulation.seed(seed, only === undefined ? undefined : new Set(only.split(",") as FaultKind[]));
}

/** Does a task, twice if asked to, and tells of it. */
export async function reportTask(simulation: Simulation, task: Task): Promise<Report> {
  const { violations, hash, run } = await runTask(simulation, task);
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
    hits: [...run.coverage.hits],
    moments: run.moments,
  };
}
