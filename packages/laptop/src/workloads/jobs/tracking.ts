import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";
import { formatIndexes, parseIndexes } from "./index-set.ts";
import { completionIndex, hasFailed, isIndexed, isOfJob, isTracked } from "./job-pod.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import type { Verdict } from "./verdict.ts";

type Job = Immutable<batch.Job>;
type Pod = Immutable<core.Pod>;
type Status = Immutable<batch.JobStatus>;

/** More than these are not listed as uncounted at a time, so that the status stays small. */
const MOST_UNCOUNTED = 500;

/** Which pods are to be counted now. */
export interface Tracked {
  /** The status with them listed as uncounted (or their indexes as completed). To be written before the pods are let go. */
  readonly status: Status;
  /** Pods whose finalizer is to be taken off then. */
  readonly letGo: readonly Pod[];
  /** Whether some had to be left for the next time. */
  readonly more: boolean;
}

/**
 * Lists pods that have ended as uncounted. Pure. A pod is counted once, whatever happens in between: it is listed while it still has
 * the finalizer, and moved from the list to the number when it has lost it. When the Job ends, all other pods are let go too, and
 * count as failed if it fails.
 */
export function tracked(job: Job, status: Status, pods: readonly Pod[], verdict: Verdict | undefined): Tracked {
  const isDeleted = job.metadata.deletionTimestamp !== undefined;
  const succeeded = [...(status.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(status.uncountedTerminatedPods?.failed ?? [])];
  const completed = parseIndexes(status.completedIndexes, job.spec?.completions ?? 0);
  const letGo: Pod[] = [];
  const listed = new Set([...succeeded, ...failed]);
  const failing = new Set(failed);
  let fresh = 0;
  const candidates = pods.filter(
    (pod) =>
      isTracked(pod) &&
      (isDeleted || verdict !== undefined || pod.status?.phase === "Succeeded" || hasFailed(job, pod)),
  );
  for (const pod of candidates) {
    if (listed.size + fresh >= MOST_UNCOUNTED) break;
    const { uid = "" } = pod.metadata;
    letGo.push(pod);
    if (!isOfJob(job, pod)) continue;
    if (pod.status?.phase === "Succeeded" && !failing.has(uid)) {
      if (isIndexed(job)) {
        completed.add(completionIndex(pod) ?? 0);
        fresh++;
      } else if (!listed.has(uid)) {
        succeeded.push(uid);
        listed.add(uid);
      }
    } else if ((hasFailed(job, pod) || verdict?.succeeds === false) && !listed.has(uid)) {
      if (judgeFailure(job.spec?.podFailurePolicy, pod).action === "Ignore") continue;
      failed.push(uid);
      listed.add(uid);
    }
  }
  return {
    status: {
      ...status,
      ...(isIndexed(job) &&
        completed.size > 0 && { completedIndexes: formatIndexes(completed), succeeded: completed.size }),
      uncountedTerminatedPods: uncounted(succeeded, failed),
    },
    letGo,
    more: letGo.length < candidates.length,
  };
}

/** The status with those counted that have lost their finalizer: `kept` are the uids of those that have not. Pure. */
export function counted(status: Status, kept: ReadonlySet<string>): Status {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const [stillSucceeded, stillFailed] = [succeeded, failed].map((uids) => uids.filter((uid) => kept.has(uid)));
  const more = (before: number | undefined, all: readonly string[], still: readonly string[] = []): number =>
    (before ?? 0) + all.length - still.length;
  const [successes, failures] = [
    more(status.succeeded, succeeded, stillSucceeded),
    more(status.failed, failed, stillFailed),
  ];
  return {
    ...status,
    ...(successes > 0 && { succeeded: successes }),
    ...(failures > 0 && { failed: failures }),
    uncountedTerminatedPods: uncounted(stillSucceeded ?? [], stillFailed ?? []),
  };
}

/** Whether pods are listed that were not counted yet. */
export function hasUncounted({ uncountedTerminatedPods }: Status): boolean {
  return (uncountedTerminatedPods?.succeeded?.length ?? 0) + (uncountedTerminatedPods?.failed?.length ?? 0) > 0;
}

function uncounted(
  succeeded: readonly string[],
  failed: readonly string[],
): NonNullable<Status["uncountedTerminatedPods"]> {
  return { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) };
}
