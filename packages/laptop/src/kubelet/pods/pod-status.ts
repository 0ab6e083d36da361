import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { containerStatus } from "./container-status.ts";
import { podConditions } from "./pod-conditions.ts";
import { isTerminal, phaseOf } from "./pod-phase.ts";
import { observedGeneration, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";

/** The whole status of a pod that the kubelet answers for. Pure. Conditions are those of the kubelet alone. */
export function podStatus(
  pod: Immutable<core.Pod>,
  run: PodRun,
  { hostIP, now }: { readonly hostIP: string; readonly now: number },
): Immutable<core.PodStatus> {
  const { spec } = pod;
  const generation = observedGeneration(pod, run);
  const phase = phaseOf(pod, run);
  const ending = isTerminal(phase) || pod.metadata.deletionTimestamp !== undefined;
  const statuses = (containers: readonly Immutable<core.Container>[]): Immutable<core.ContainerStatus>[] =>
    containers.map((container) => containerStatus(pod, container, runOf(run, container.name), { now, ending }));
  const containerStatuses = statuses(spec?.containers ?? []);
  const initContainerStatuses = statuses(spec?.initContainers ?? []);
  return {
    phase,
    ...(run.failure !== undefined && run.failure),
    ...(generation !== undefined && { observedGeneration: generation }),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP: run.ip,
    podIPs: [{ ip: run.ip }],
    startTime: formatTime(run.startedAt),
    conditions: podConditions(pod, run, { phase, containerStatuses, initContainerStatuses, now }),
    containerStatuses,
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
  };
}
