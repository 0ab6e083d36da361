import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

type Pod = Immutable<core.Pod>;

/** Whether it has ended by itself: nothing of it runs any more. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Whether it counts as a replica: it has not ended, and nobody has deleted it. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether it was deleted and may still run. */
export function isTerminating(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Since when it has been ready, in milliseconds. Undefined when it is not, or when nobody says. */
export function readySince(pod: Pod): number | undefined {
  const ready = readyCondition(pod);
  return ready?.status === "True" ? parseTime(ready.lastTransitionTime ?? "") : undefined;
}

/**
 * How long until a pod counts as available, having been ready for `minReadySeconds`: 0 when it is now, undefined while it is not
 * ready.
 */
export function availableInMs(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = readySince(pod);
  return since === undefined ? undefined : Math.max(since + minReadySeconds * 1000 - now, 0);
}

function readyCondition({ status }: Pod): Immutable<core.PodCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready");
}
