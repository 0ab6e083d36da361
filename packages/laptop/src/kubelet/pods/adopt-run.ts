import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { idleRun, stepContainer } from "./container-run.ts";
import type { ContainerRun, Ended } from "./container-run.ts";
import type { PodRun } from "./pod-run.ts";

type Pod = Immutable<core.Pod>;
type Status = Immutable<core.ContainerStatus>;

/**
 * The run of a pod that this process sees for the first time. What ran in a process before this one is gone: such containers have
 * ended for a reason that nobody knows, and are started again where the pod's policy says so. Pure.
 */
export function adoptRun(pod: Pod, ip: string, now: number): PodRun {
  const { status, metadata } = pod;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return {
    uid: metadata.uid ?? "",
    ip,
    startedAt: timeOf(status?.startTime) ?? now,
    containers: new Map(statuses.map((known) => [known.name, adoptContainer(known, now)])),
  };
}

/** Whether something of a pod ran before this process. */
export function hasRun({ status }: Pod): boolean {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(
    ({ state }) => state?.running !== undefined,
  );
}

function adoptContainer({ state, lastState, restartCount, containerID = "" }: Status, now: number): ContainerRun {
  const last = endOf(lastState?.terminated);
  const before = { ...idleRun, restarts: restartCount, last };
  const ended = endOf(state?.terminated);
  if (state?.running !== undefined) {
    const lost: Ended = {
      exitCode: 255,
      reason: "Unknown",
      startedAt: timeOf(state.running.startedAt) ?? now,
      finishedAt: now,
      containerID,
    };
    return { ...before, state: { kind: "ended", end: lost, restartAt: now, backOffMs: 0 } };
  }
  if (ended !== undefined) return { ...before, state: { kind: "ended", end: ended, restartAt: now, backOffMs: 0 } };
  // It waited to be restarted: from its end on, as if it had been seen.
  if (last !== undefined)
    return stepContainer(
      { ...before, last: undefined, state: { kind: "starting" } },
      { kind: "exited", at: now, ...last },
    );
  return before;
}

function endOf(terminated: Immutable<core.ContainerStateTerminated> | undefined): Ended | undefined {
  if (terminated === undefined) return undefined;
  const { exitCode, reason = "Error", message, startedAt, finishedAt, containerID = "" } = terminated;
  return {
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    startedAt: timeOf(startedAt) ?? 0,
    finishedAt: timeOf(finishedAt) ?? 0,
    containerID,
  };
}

function timeOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : parseTime(text);
}
