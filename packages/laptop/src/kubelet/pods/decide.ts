import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { isTerminal } from "./pod-phase.ts";
import { isAlive, isOver, isSidecar, restartsAfter, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";

type Pod = Immutable<core.Pod>;
type Container = Immutable<core.Container>;

/** What a pod needs next. */
export interface Decision {
  /** Containers to start now. */
  readonly start: readonly Container[];
  /** Containers to ask to end now. */
  readonly stop: readonly Container[];
  /** When time alone will call for another look. */
  readonly wakeAt: number | undefined;
  /** The pod is to end, and nothing of it runs any more. */
  readonly over: boolean;
}

/** How long a failed pull is shown as such before it is shown as waiting. */
export const PULL_ERROR_SHOWN_MS = 2_000;

/** Decides what a pod needs next. Pure: the same pod at the same time, the same answer. */
export function decide(pod: Pod, run: PodRun, now: number): Decision {
  const plan = new Plan(now);
  const { spec } = pod;
  const deadline = deadlineOf(pod, run);
  const main = spec?.containers ?? [];
  const isDone = (container: Container): boolean => isOver(spec, container, runOf(run, container.name));
  if (pod.metadata.deletionTimestamp !== undefined || run.failure !== undefined) return ending(pod, run, plan);
  if (isTerminal(pod.status?.phase) || main.every(isDone)) return ending(pod, run, plan);
  if (deadline !== undefined) plan.wake(deadline);
  const initialized = main.some(({ name }) => runOf(run, name).state.kind !== "idle");

  for (const container of spec?.initContainers ?? []) {
    const { state } = runOf(run, container.name);
    if (isSidecar(container)) {
      advance(pod, run, container, plan);
      const up = state.kind === "running" && state.started;
      if (!up && !initialized) return plan.decision(false);
    } else if (!initialized) {
      if (state.kind === "ended" && state.end.exitCode === 0) continue;
      if (isDone(container)) return ending(pod, run, plan);
      advance(pod, run, container, plan);
      return plan.decision(false);
    }
  }
  for (const container of main) advance(pod, run, container, plan);
  return plan.decision(false);
}

/** When a pod has run for as long as it may. */
export function deadlineOf({ spec }: Pod, { startedAt }: PodRun): number | undefined {
  return spec?.activeDeadlineSeconds === undefined ? undefined : startedAt + spec.activeDeadlineSeconds * 1000;
}

/** When a deleted pod has to be gone. */
export function lastMoment({ metadata }: Pod): number | undefined {
  return metadata.deletionTimestamp === undefined ? undefined : parseTime(metadata.deletionTimestamp);
}

/** Containers first; those beside them serve until nobody is left who could need them. */
function ending(pod: Pod, run: PodRun, plan: Plan): Decision {
  const sidecars = (pod.spec?.initContainers ?? []).filter(isSidecar);
  const others = [...(pod.spec?.initContainers ?? []).filter((c) => !isSidecar(c)), ...(pod.spec?.containers ?? [])];
  const alive = (container: Container): boolean => isAlive(runOf(run, container.name));
  const group = others.some(alive) ? others : sidecars;
  for (const container of group) {
    const { state } = runOf(run, container.name);
    if (state.kind === "starting" || (state.kind === "running" && !state.stopping)) plan.stop.push(container);
  }
  return plan.decision(![...others, ...sidecars].some(alive));
}

/** Starts a container if its time has come, or says when it will. */
function advance({ spec }: Pod, run: PodRun, container: Container, plan: Plan): void {
  const { state } = runOf(run, container.name);
  switch (state.kind) {
    case "idle":
      plan.start.push(container);
      break;
    case "held":
      if (state.until === undefined) break;
      if (state.until <= plan.now) {
        plan.start.push(container);
        break;
      }
      plan.wake(state.until);
      if (state.reason === "ErrImagePull") plan.wake(state.at + PULL_ERROR_SHOWN_MS);
      break;
    case "ended":
      if (!restartsAfter(spec, container, state.end.exitCode)) break;
      if (state.restartAt <= plan.now) plan.start.push(container);
      else plan.wake(state.restartAt);
      break;
    case "running":
      // It comes back from the new image once it has ended.
      if (state.image !== (container.image ?? "") && !state.stopping) plan.stop.push(container);
      break;
    case "starting":
  }
}

/** A decision in the making. */
class Plan {
  readonly now: number;
  readonly start: Container[] = [];
  readonly stop: Container[] = [];
  #wakeAt: number | undefined;

  constructor(now: number) {
    this.now = now;
  }

  /** Moments that have passed call for nothing. */
  wake(at: number): void {
    if (at > this.now) this.#wakeAt = Math.min(at, this.#wakeAt ?? at);
  }

  decision(over: boolean): Decision {
    return { start: this.start, stop: this.stop, wakeAt: this.#wakeAt, over };
  }
}
