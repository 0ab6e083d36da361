import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";
import { conditionOf, told, toldAnew, untold } from "./conditions.ts";
import type { Condition, Fact } from "./conditions.ts";

type Deployment = Immutable<apps.Deployment>;
type Status = Immutable<apps.DeploymentStatus>;

/** The largest number stands for no deadline. */
const NO_DEADLINE = 2 ** 31 - 1;

/** In how many seconds a rollout must get on. Undefined: nobody watches over it. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds;
}

/** Whether all wanted pods are new and available, and no others are left. */
export function isComplete({ spec, metadata }: Deployment, status: Status | undefined): boolean {
  const desired = spec?.replicas ?? 1;
  return (
    (status?.updatedReplicas ?? 0) === desired &&
    (status?.replicas ?? 0) === desired &&
    (status?.availableReplicas ?? 0) === desired &&
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

/** What a rollout has come to, told as conditions. `numbers`: the status as it will be, apart from them. Pure. */
export function progressTold(
  deployment: Deployment,
  numbers: Status,
  conditions: readonly Condition[],
  rollout: { readonly replicaSet: string | undefined; readonly now: number },
): readonly Condition[] {
  const deadline = progressDeadline(deployment);
  if (deadline === undefined) return untold(conditions, "Progressing");
  const { replicaSet, now } = rollout;
  const before = conditionOf(conditions, "Progressing");
  const what = replicaSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${replicaSet}"`;
  const fact = (status: Fact["status"], reason: string, rest: string): Fact => ({
    type: "Progressing",
    status,
    reason,
    message: `${what} ${rest}`,
  });
  const settled = before?.reason === "NewReplicaSetAvailable";
  const end = fact("True", "NewReplicaSetAvailable", "has successfully progressed.");
  const isTold = settled && before.message === end.message;
  if (isTold && (numbers.replicas ?? 0) === (numbers.updatedReplicas ?? 0)) return conditions;
  if (isComplete(deployment, numbers)) return isTold ? conditions : toldAnew(conditions, end, now);
  if (hasProgressed(deployment.status, numbers)) {
    return toldAnew(conditions, fact("True", "ReplicaSetUpdated", "is progressing."), now);
  }
  const due = dueAt(before, deadline);
  if (settled || due === undefined || due >= now) return conditions;
  return told(conditions, fact("False", "ProgressDeadlineExceeded", "has timed out progressing."), now);
}

/** How long until it must be looked whether a rollout got on. */
export function progressCheckMs(deployment: Deployment, status: Status, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const progressing = conditionOf(status.conditions, "Progressing");
  if (deadline === undefined || isComplete(deployment, status)) return undefined;
  const reason = progressing?.reason;
  if (reason === "ProgressDeadlineExceeded" || reason === "NewReplicaSetAvailable") return undefined;
  const due = dueAt(progressing, deadline);
  // Moments are written in whole seconds.
  return due === undefined ? undefined : Math.max(due - now, 0) + 1000;
}

function dueAt(progressing: Condition | undefined, deadline: number): number | undefined {
  const since = parseTime(progressing?.lastUpdateTime ?? "");
  return since === undefined ? undefined : since + deadline * 1000;
}

/** More new pods, fewer old ones, more that are ready or available. */
function hasProgressed(before: Status | undefined, now: Status): boolean {
  const old = (status: Status | undefined): number => (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (now.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}
