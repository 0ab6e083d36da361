import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";

/** A condition of a Deployment. */
export type Condition = Immutable<apps.DeploymentCondition>;

/** What a condition says, without the moments. */
export interface Fact {
  readonly type: "Available" | "Progressing" | "ReplicaFailure";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(conditions: readonly Condition[] | undefined, type: Fact["type"]): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** The conditions with this one told. One with the same status and reason stays as it is, its message too. */
export function told(conditions: readonly Condition[], fact: Fact, now: number): readonly Condition[] {
  const before = conditionOf(conditions, fact.type);
  return before?.status === fact.status && before.reason === fact.reason ? conditions : toldAnew(conditions, fact, now);
}

/**
 * The same, with a new moment of update though nothing else may be new: progress was made. Conditions stand in the order of their
 * types, where Kubernetes puts the last one told last: so states that come about in different ways are equal.
 */
export function toldAnew(conditions: readonly Condition[], fact: Fact, now: number): readonly Condition[] {
  const before = conditionOf(conditions, fact.type);
  const lastUpdateTime = formatTime(now);
  const lastTransitionTime =
    before?.status === fact.status ? (before.lastTransitionTime ?? lastUpdateTime) : lastUpdateTime;
  const next: Condition = { ...fact, lastUpdateTime, lastTransitionTime };
  return [...untold(conditions, fact.type), next].sort((a, b) => (a.type < b.type ? -1 : 1));
}

export function untold(conditions: readonly Condition[], type: Fact["type"]): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}
