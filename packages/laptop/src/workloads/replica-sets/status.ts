import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { apps, core } from "@gatewright/kube/api";
import { availableInMs, isActive, isReady, isTerminating } from "../pods/pod-state.ts";

type ReplicaSet = Immutable<apps.ReplicaSet>;
type Status = Immutable<apps.ReplicaSetStatus>;

/** Why the number of pods could not be brought to what it should be. */
export interface Failure {
  readonly reason: "FailedCreate" | "FailedDelete";
  readonly message: string;
}

/** What the status should say of a ReplicaSet with these pods. Pure. Numbers that are zero are left out, as the server's own are. */
export function statusOf(
  replicaSet: ReplicaSet,
  pods: readonly Immutable<core.Pod>[],
  failure: Failure | undefined,
  now: number,
): Status {
  const { spec, metadata } = replicaSet;
  const active = pods.filter(isActive);
  const minReady = spec?.minReadySeconds ?? 0;
  const wanted = Object.entries(spec?.template?.metadata?.labels ?? {});
  const labeled = active.filter(({ metadata: { labels } }) => wanted.every(([key, value]) => labels?.[key] === value));
  const conditions = conditionsOf(replicaSet.status, failure, now);
  return {
    replicas: active.length,
    ...counted("fullyLabeledReplicas", labeled.length),
    ...counted("readyReplicas", active.filter(isReady).length),
    ...counted("availableReplicas", active.filter((pod) => availableInMs(pod, minReady, now) === 0).length),
    terminatingReplicas: pods.filter(isTerminating).length,
    ...counted("observedGeneration", metadata.generation ?? 0),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** How long until a pod that is ready will count as available, if one is to be waited for. */
export function nextAvailableMs(
  { spec }: ReplicaSet,
  pods: readonly Immutable<core.Pod>[],
  now: number,
): number | undefined {
  const waits = pods
    .filter(isActive)
    .map((pod) => availableInMs(pod, spec?.minReadySeconds ?? 0, now) ?? 0)
    .filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** A failure that is told already keeps its first message, until it is over. */
function conditionsOf(
  status: Status | undefined,
  failure: Failure | undefined,
  now: number,
): readonly Immutable<apps.ReplicaSetCondition>[] {
  const before = status?.conditions ?? [];
  if (failure === undefined) return before.filter(({ type }) => type !== "ReplicaFailure");
  if (before.some(({ type }) => type === "ReplicaFailure")) return before;
  const { reason, message } = failure;
  return [...before, { type: "ReplicaFailure", status: "True", lastTransitionTime: formatTime(now), reason, message }];
}

function counted<K extends string>(name: K, count: number): { readonly [N in K]?: number } {
  return (count === 0 ? {} : { [name]: count }) as { readonly [N in K]?: number };
}
