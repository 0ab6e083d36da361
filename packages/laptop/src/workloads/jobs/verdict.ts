import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";
import { parseIndexes } from "./index-set.ts";
import { hasFailed } from "./job-pod.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import type { Tally } from "./tally.ts";

type Job = Immutable<batch.Job>;
type Pod = Immutable<core.Pod>;
type Policy = (job: Job, tally: Tally, pods: readonly Pod[], now: number) => Verdict | undefined;

/** What a Job comes to. First its aim is told; when all pods are counted and gone, its end. */
export interface Verdict {
  readonly succeeds: boolean;
  readonly reason: string;
  readonly message: string;
}

/** Earlier ones decide. What was told before is never judged anew. */
const POLICIES: readonly Policy[] = [
  toldBefore("SuccessCriteriaMet", true),
  toldBefore("FailureTarget", false),
  podThatFailsTheJob,
  tooManyFailures,
  tooManyRestarts,
  deadlinePassed,
  successPolicyMet,
];

/** Decides whether a Job is to end though pods may be active. Pure. */
export function verdictOf(job: Job, tally: Tally, pods: readonly Pod[], now: number): Verdict | undefined {
  for (const policy of POLICIES) {
    const verdict = policy(job, tally, pods, now);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** Decides whether a Job without active pods is complete. */
export function completionOf({ spec }: Job, { succeeded, active }: Tally): Verdict | undefined {
  const isComplete = spec?.completions === undefined ? succeeded > 0 : succeeded >= spec.completions;
  if (!isComplete || active.length > 0) return undefined;
  return { succeeds: true, reason: "CompletionsReached", message: "Reached expected number of succeeded pods" };
}

/** How long until the Job will have been active for too long. */
export function deadlineMs({ spec, status }: Job, now: number): number | undefined {
  const started = parseTime(status?.startTime ?? "");
  if (spec?.activeDeadlineSeconds === undefined || spec.suspend === true || started === undefined) return undefined;
  return Math.max(started + spec.activeDeadlineSeconds * 1000 - now, 0);
}

function toldBefore(type: string, succeeds: boolean): Policy {
  return ({ status }) => {
    const told = status?.conditions?.find((condition) => condition.type === type && condition.status === "True");
    return told === undefined ? undefined : { succeeds, reason: told.reason ?? "", message: told.message ?? "" };
  };
}

function podThatFailsTheJob(job: Job, _tally: Tally, pods: readonly Pod[]): Verdict | undefined {
  const policy = job.spec?.podFailurePolicy;
  if (policy === undefined) return undefined;
  for (const pod of pods) {
    const message = hasFailed(job, pod) ? judgeFailure(policy, pod).message : undefined;
    if (message !== undefined) return { succeeds: false, reason: "PodFailurePolicy", message };
  }
  return undefined;
}

const BACKOFF: Verdict = {
  succeeds: false,
  reason: "BackoffLimitExceeded",
  message: "Job has reached the specified backoff limit",
};

function tooManyFailures({ spec }: Job, { failed }: Tally): Verdict | undefined {
  return failed > (spec?.backoffLimit ?? 6) ? BACKOFF : undefined;
}

/** Where containers are started again in their pods, that counts as failures too. */
function tooManyRestarts({ spec }: Job, _tally: Tally, pods: readonly Pod[]): Verdict | undefined {
  if (spec?.template.spec?.restartPolicy !== "OnFailure") return undefined;
  const running = pods.filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending");
  const restarts = running
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  const limit = spec.backoffLimit ?? 6;
  return restarts > 0 && restarts >= limit ? BACKOFF : undefined;
}

function deadlinePassed(job: Job, _tally: Tally, _pods: readonly Pod[], now: number): Verdict | undefined {
  if (deadlineMs(job, now) !== 0) return undefined;
  return { succeeds: false, reason: "DeadlineExceeded", message: "Job was active longer than specified deadline" };
}

function successPolicyMet({ spec }: Job, { completed }: Tally): Verdict | undefined {
  for (const [at, { succeededIndexes, succeededCount }] of (spec?.successPolicy?.rules ?? []).entries()) {
    const wanted = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes, spec?.completions ?? 0);
    const done = wanted === undefined ? completed.size : [...wanted].filter((index) => completed.has(index)).length;
    const isMet = done === wanted?.size || (succeededCount !== undefined && done >= succeededCount);
    if (isMet) return { succeeds: true, reason: "SuccessPolicy", message: `Matched rules at index ${at}` };
  }
  return undefined;
}
