import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { ContainerRun } from "./container-run.ts";
import { idleRun } from "./container-run.ts";

/** A pod as the kubelet runs it. */
export interface PodRun {
  readonly uid: string;
  readonly ip: string;
  readonly startedAt: number;
  readonly containers: ReadonlyMap<string, ContainerRun>;
  /** Why the kubelet itself ends the pod. */
  readonly failure?: { readonly reason: string; readonly message: string };
}

type Container = Immutable<core.Container>;
type PodSpec = Immutable<core.PodSpec>;

/** The run of a container; one that was never started for a name that is not known. */
export function runOf(run: PodRun, name: string): ContainerRun {
  return run.containers.get(name) ?? idleRun;
}

/** Whether a container of a pod's `initContainers` runs beside the others instead of before them. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

/** All containers of a pod in the order in which they start. */
export function allContainers(spec: PodSpec | undefined): readonly Container[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

/** Whether a container that has ended like this is started again. */
export function restartsAfter(spec: PodSpec | undefined, container: Container, exitCode: number): boolean {
  const policy = container.restartPolicy ?? spec?.restartPolicy ?? "Always";
  const prepares = spec?.initContainers?.includes(container) === true && !isSidecar(container);
  if (prepares) return exitCode !== 0 && policy !== "Never";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** Whether a container has ended and stays so. */
export function isOver(spec: PodSpec | undefined, container: Container, run: ContainerRun): boolean {
  return run.state.kind === "ended" && !restartsAfter(spec, container, run.state.end.exitCode);
}

/** Whether something of a container runs, or is about to. */
export function isAlive({ state }: ContainerRun): boolean {
  return state.kind === "running" || state.kind === "starting";
}

/** Seconds that the containers of a pod have to end when it is deleted. */
export function graceSeconds({ metadata, spec }: Immutable<core.Pod>): number {
  return metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
}

/** What a map of the API (labels, resources) has under a key that a user chose. */
export function entryOf<T>(entries: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined;
}

/**
 * The generation that a status speaks of. A deletion is one too, but it alone is no news while the pod ends: the end itself will be
 * told.
 */
export function observedGeneration(pod: Immutable<core.Pod>, run: PodRun): number | undefined {
  const { metadata, spec, status } = pod;
  const ending =
    metadata.deletionTimestamp !== undefined && allContainers(spec).some(({ name }) => isAlive(runOf(run, name)));
  return ending ? (status?.observedGeneration ?? metadata.generation) : metadata.generation;
}
