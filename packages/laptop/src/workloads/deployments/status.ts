import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";
import { conditionOf, told, untold } from "./conditions.ts";
import type { Condition } from "./conditions.ts";
import { progressDeadline, progressTold } from "./progress.ts";
import { rolloutBounds } from "./rollout-bounds.ts";

type Deployment = Immutable<apps.Deployment>;
type ReplicaSet = Immutable<apps.ReplicaSet>;
type Status = Immutable<apps.DeploymentStatus>;
type Counts = { readonly [K in Exclude<keyof apps.DeploymentStatus, "conditions">]?: number };

/** What a status is made from. */
export interface StatusInput {
  readonly deployment: Deployment;
  /** The ReplicaSet that holds the Deployment's template. */
  readonly current: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  /** Whether a rollout is being worked on: only then its progress is judged. */
  readonly rollingOut: boolean;
  /** Whether the current ReplicaSet was made in this run. */
  readonly created: boolean;
  readonly now: number;
}

/** What the status of a Deployment should say. Pure. */
export function statusOf(input: StatusInput): Status {
  const { deployment, current, old, rollingOut, now } = input;
  const all = current === undefined ? old : [...old, current];
  const numbers = countsOf(deployment, current, all);
  let conditions = announced(input, paused(deployment, deployment.status?.conditions ?? [], now));
  const { desired, maxUnavailable } = rolloutBounds(deployment.spec);
  const enough = (numbers.availableReplicas ?? 0) >= desired - maxUnavailable;
  conditions = told(
    conditions,
    {
      type: "Available",
      status: enough ? "True" : "False",
      reason: enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
      message: enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
    },
    now,
  );
  if (rollingOut) {
    const replicaSet = current?.metadata.name;
    conditions = progressTold(deployment, numbers, conditions, { replicaSet, now });
    conditions = failures(conditions, current === undefined ? all : [current, ...old]);
  }
  return { ...numbers, conditions };
}

function countsOf(
  { metadata, status, spec }: Deployment,
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
): Counts {
  const total = (of: (replicaSet: ReplicaSet) => number | undefined): number =>
    all.reduce((sum, replicaSet) => sum + (of(replicaSet) ?? 0), 0);
  const available = total((each) => each.status?.availableReplicas);
  const reported = all.filter((each) => each.status?.observedGeneration !== undefined);
  const counts: Counts = {
    observedGeneration: metadata.generation ?? 0,
    replicas: total((each) => each.status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: total((each) => each.status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(total((each) => each.spec?.replicas ?? (spec === undefined ? 0 : 1)) - available, 0),
  };
  const shown = Object.entries(counts).filter(([, count]) => count !== 0);
  return {
    ...(Object.fromEntries(shown) as Counts),
    ...(status?.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    ...(reported.every((each) => each.status?.terminatingReplicas !== undefined) && {
      terminatingReplicas: total((each) => each.status?.terminatingReplicas),
    }),
  };
}

/** Paused time does not count against the deadline: the condition begins anew when it goes on. A rollout that is late stays so. */
function paused(deployment: Deployment, conditions: readonly Condition[], now: number): readonly Condition[] {
  if (progressDeadline(deployment) === undefined || deployment.metadata.deletionTimestamp !== undefined)
    return conditions;
  const reason = conditionOf(conditions, "Progressing")?.reason;
  const isPaused = deployment.spec?.paused === true;
  if (reason === "ProgressDeadlineExceeded" || isPaused === (reason === "DeploymentPaused")) return conditions;
  return told(
    conditions,
    {
      type: "Progressing",
      status: "Unknown",
      reason: isPaused ? "DeploymentPaused" : "DeploymentResumed",
      message: isPaused ? "Deployment is paused" : "Deployment is resumed",
    },
    now,
  );
}

/** That there is a new ReplicaSet, by which progress is measured from now on. */
function announced(
  { deployment, current, created, now }: StatusInput,
  conditions: readonly Condition[],
): readonly Condition[] {
  if (current === undefined || progressDeadline(deployment) === undefined) return conditions;
  if (!created && conditionOf(conditions, "Progressing") !== undefined) return conditions;
  const name = current.metadata.name ?? "";
  const message = created ? `Created new replica set "${name}"` : `Found new replica set "${name}"`;
  const reason = created ? "NewReplicaSetCreated" : "FoundNewReplicaSet";
  return told(conditions, { type: "Progressing", status: "True", reason, message }, now);
}

/** The first failure of a ReplicaSet, as the Deployment's own. */
function failures(conditions: readonly Condition[], replicaSets: readonly ReplicaSet[]): readonly Condition[] {
  const failure = replicaSets
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type }) => type === "ReplicaFailure");
  const before = conditionOf(conditions, "ReplicaFailure");
  if (failure === undefined) return before === undefined ? conditions : untold(conditions, "ReplicaFailure");
  if (before?.status === failure.status && before.reason === failure.reason) return conditions;
  const { lastTransitionTime } = failure;
  const moments = lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime, lastTransitionTime };
  // The last by its type.
  return [...untold(conditions, "ReplicaFailure"), { ...failure, ...moments }];
}
