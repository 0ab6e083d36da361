import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";

type Pod = Immutable<core.Pod>;
type Job = Immutable<batch.Job>;

/** Keeps a pod that has ended until it is counted, whoever deletes it. */
export const TRACKING = "batch.kubernetes.io/job-tracking";
/** Which of the completions of an Indexed Job a pod works on: an annotation, and a label too. */
export const COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";
const JOB_NAME = "batch.kubernetes.io/job-name";

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

/** Undefined when it has none that can be read. */
export function completionIndex({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === "Indexed";
}

/** Whether the pod is of those that count for the Job: in an Indexed one, those with an index that is wanted. */
export function isOfJob(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true;
  const index = completionIndex(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0);
}

/** Whether a pod that is deleted is replaced only once it has ended. */
export function waitsForEnd({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy !== undefined;
}

/** Whether a pod counts as failed: it ended so, or it was deleted before it ended. */
export function hasFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === "Failed") return true;
  return !waitsForEnd(job) && metadata.deletionTimestamp !== undefined && status?.phase !== "Succeeded";
}

/** When it ended, as well as that can be told. */
export function endedAt({ metadata, status }: Pod): number {
  const ends = status?.containerStatuses?.map(({ state }) => parseTime(state?.terminated?.finishedAt ?? "")) ?? [];
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const unready = ready?.status === "False" ? parseTime(ready.lastTransitionTime ?? "") : undefined;
  const deleted = parseTime(metadata.deletionTimestamp ?? "");
  const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return (
    unready ??
    (deleted === undefined ? undefined : deleted - graceMs) ??
    parseTime(metadata.creationTimestamp ?? "") ??
    0
  );
}

/** The name of an index of tracked pods by the Job that they are of, whether it is still there or not. */
export const BY_JOB = "workloads/job";

export function byJob(pod: Pod): readonly string[] {
  const { namespace = "", ownerReferences, labels } = pod.metadata;
  if (!isTracked(pod)) return [];
  const name = ownerReferences?.find(({ controller, kind }) => controller === true && kind === "Job")?.name;
  const told = name ?? labels?.[JOB_NAME];
  return told === undefined ? [] : [`${namespace}/${told}`];
}
