import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";
import { isActive, isReady, isTerminating } from "../pods/pod-state.ts";
import { parseIndexes } from "./index-set.ts";
import { completionIndex, hasFailed, isIndexed, isOfJob, isTracked } from "./job-pod.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

type Pod = Immutable<core.Pod>;

/** How a Job stands: what was counted before and what its pods show now. */
export interface Tally {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Indexes that are done, in an Indexed Job. */
  readonly completed: ReadonlySet<number>;
}

/** Counts. Pure. A pod that is being counted already (it is told as uncounted in the status) is not counted again. */
export function tallyOf(job: Immutable<batch.Job>, pods: readonly Pod[]): Tally {
  const { spec, status } = job;
  const uncounted = status?.uncountedTerminatedPods;
  const [succeeding, failing] = [new Set(uncounted?.succeeded), new Set(uncounted?.failed)];
  const tracked = pods.filter((pod) => isTracked(pod) && isOfJob(job, pod));
  const uid = ({ metadata }: Pod): string => metadata.uid ?? "";
  const succeeded = tracked.filter((pod) => pod.status?.phase === "Succeeded" && !failing.has(uid(pod)));
  const failed = tracked.filter(
    (pod) =>
      hasFailed(job, pod) && !failing.has(uid(pod)) && judgeFailure(spec?.podFailurePolicy, pod).action !== "Ignore",
  );
  const completed = parseIndexes(status?.completedIndexes, spec?.completions ?? 0);
  for (const pod of succeeded) completed.add(completionIndex(pod) ?? 0);
  const active = pods.filter(isActive);
  const newlySucceeded = succeeded.filter((pod) => !succeeding.has(uid(pod))).length;
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    succeeded: isIndexed(job) ? completed.size : (status?.succeeded ?? 0) + succeeding.size + newlySucceeded,
    failed: (status?.failed ?? 0) + failing.size + failed.length,
    completed: isIndexed(job) ? completed : new Set(),
  };
}
