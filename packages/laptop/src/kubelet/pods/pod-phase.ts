import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { isAlive, isOver, isSidecar, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** Whether a phase is the last one. */
export function isTerminal(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** The phase of a pod. Pure. It is over only when nothing of the pod runs any more. */
export function phaseOf({ spec, metadata, status }: Immutable<core.Pod>, run: PodRun): PodPhase {
  if (isTerminal(status?.phase)) return status?.phase === "Succeeded" ? "Succeeded" : "Failed";
  const main = spec?.containers ?? [];
  const inits = spec?.initContainers ?? [];
  const alive = [...inits, ...main].some(({ name }) => isAlive(runOf(run, name)));
  if (run.failure !== undefined && !alive) return "Failed";
  const unprepared = inits.some(
    (c) => !isSidecar(c) && isOver(spec, c, runOf(run, c.name)) && exitOf(run, c.name) !== 0,
  );
  if (unprepared) return alive ? "Pending" : "Failed";
  const begun = main
    .map(({ name }) => runOf(run, name))
    .filter((c) => c.state.kind === "ended" || c.last !== undefined || c.state.kind === "running");
  const deleted = metadata.deletionTimestamp !== undefined;
  if (begun.length < main.length) return deleted && !alive ? "Failed" : "Pending";
  if (alive || (!deleted && main.some((c) => !isOver(spec, c, runOf(run, c.name))))) return "Running";
  return main.every(({ name }) => exitOf(run, name) === 0) ? "Succeeded" : "Failed";
}

function exitOf(run: PodRun, name: string): number | undefined {
  const { state, last } = runOf(run, name);
  return state.kind === "ended" ? state.end.exitCode : last?.exitCode;
}
