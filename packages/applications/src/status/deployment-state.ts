import type { Immutable } from "@gatewright/kube";
import type { apps, core } from "@gatewright/kube/api";
import { detail, podTrouble } from "./pod-trouble.ts";
import { REASON } from "./reason.ts";
import type { Fact, Trouble, Verdict } from "./verdict.ts";

type Deployment = Immutable<apps.Deployment>;

/** Whether the status is about the newest spec and every pod that there is was made from it. */
export function isRolledOut(deployment: Deployment): boolean {
  return rolloutLeft(deployment) === undefined;
}

/** What is left of an update; undefined when it is over, though pods may have become unready since. */
function rolloutLeft({ metadata, spec, status = {} }: Deployment): string | undefined {
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return "the Deployment has not been looked at yet";
  if (updatedReplicas < wanted) return `${updatedReplicas} of ${wanted} replicas are of the newest spec`;
  if (replicas > updatedReplicas) return `replicas of an older spec are still there: ${replicas - updatedReplicas}`;
  const reached = condition(status, "Progressing")?.reason === "NewReplicaSetAvailable";
  return availableReplicas >= wanted || reached
    ? undefined
    : `${availableReplicas} of ${wanted} replicas are available`;
}

function condition(status: Deployment["status"], type: string) {
  return status?.conditions?.find((each) => each.type === type);
}

/** How an Application is whose pods run all the time. `obstacle`: what kept its Deployment from being as wanted. */
export function judgeDeployment(
  deployment: Deployment | undefined,
  pods: readonly Immutable<core.Pod>[],
  obstacle: Trouble | undefined,
): Verdict {
  const { spec, status } = deployment ?? {};
  const wanted = spec?.replicas ?? 1;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {};
  const left = deployment === undefined ? "the Deployment is not there yet" : rolloutLeft(deployment);
  const numbers = { replicas, updatedReplicas, readyReplicas };
  const availability = available(status);
  if (left === undefined && obstacle === undefined && availableReplicas >= wanted) {
    const message = wanted === 0 ? "scaled to zero" : `${readyReplicas} of ${wanted} replicas are ready`;
    return {
      phase: "Running",
      failing: false,
      ...numbers,
      ready: { status: "True", reason: REASON.succeeded, message },
      progressing: { status: "False", reason: REASON.rolledOut, message },
      available: availability,
    };
  }
  const trouble = obstacle ?? replicaFailure(status) ?? podTrouble(pods);
  const stalled = condition(status, "Progressing")?.reason === "ProgressDeadlineExceeded";
  const serves = availability?.status === "True" && wanted > 0;
  const failing = trouble?.failing === true || (stalled && left !== undefined);
  return {
    phase: serves ? "Running" : failing ? "Failed" : "Pending",
    failing,
    ...numbers,
    ready: notReady(trouble, stalled, left, `${readyReplicas} of ${wanted} replicas are ready`),
    progressing: progress(trouble, obstacle !== undefined, stalled, left),
    available: availability,
  };
}

function notReady(trouble: Trouble | undefined, stalled: boolean, left: string | undefined, count: string): Fact {
  if (trouble !== undefined) return { status: "False", reason: trouble.reason, message: trouble.message };
  if (left === undefined) return { status: "False", reason: REASON.notReady, message: count };
  return { status: "False", reason: stalled ? REASON.deadline : REASON.rollingOut, message: left };
}

function progress(trouble: Trouble | undefined, blocked: boolean, stalled: boolean, left: string | undefined): Fact {
  if (blocked && trouble !== undefined) return { status: "False", reason: trouble.reason, message: trouble.message };
  if (left === undefined) return { status: "False", reason: REASON.rolledOut, message: "no update is under way" };
  const message = trouble === undefined ? left : `${left}; ${trouble.message}`;
  if (stalled) return { status: "False", reason: REASON.deadline, message };
  return { status: "True", reason: trouble?.reason ?? REASON.rollingOut, message };
}

/** Pods that cannot even be made: the Deployment says so for its ReplicaSets. */
function replicaFailure(status: Deployment["status"]): Trouble | undefined {
  const failure = condition(status, "ReplicaFailure");
  if (failure?.status !== "True") return undefined;
  const message = detail(failure.message?.replace(/^pods "[^"]*" is forbidden: /, ""));
  const reason = isQuota(message) ? REASON.quota : (failure.reason ?? REASON.failedCreate);
  return { reason, message: `pods cannot be made: ${message}`, failing: true };
}

/** Whether a refusal is about a quota. */
export function isQuota(message: string): boolean {
  return /exceeded quota|failed quota/.test(message);
}

function available(status: Deployment["status"]): Fact | undefined {
  const said = condition(status, "Available");
  if (said === undefined) return undefined;
  return {
    status: said.status === "True" ? "True" : said.status === "False" ? "False" : "Unknown",
    reason: said.reason ?? "Available",
    message: said.message ?? "",
  };
}
