import { formatTime, parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { batch } from "@gatewright/kube/api";
import type { Verdict } from "./verdict.ts";

type Job = Immutable<batch.Job>;
type Status = Immutable<batch.JobStatus>;
type Condition = Immutable<batch.JobCondition>;

/** When a Job ended, if it has. */
export function finishedAt({ status }: Job): number | undefined {
  const end = status?.conditions?.find(
    ({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True",
  );
  return end === undefined ? undefined : (parseTime(end.lastTransitionTime ?? "") ?? 0);
}

/** What is aimed at is told before pods are let go: who comes after knows it though their states are gone. */
export function aimed(status: Status, verdict: Verdict, now: number): Status {
  return told(status, verdict.succeeds ? "SuccessCriteriaMet" : "FailureTarget", "True", verdict, now);
}

export function finished(status: Status, verdict: Verdict, now: number): Status {
  const end = told(status, verdict.succeeds ? "Complete" : "Failed", "True", verdict, now);
  return verdict.succeeds ? { ...end, completionTime: formatTime(now) } : end;
}

/** Suspended time does not count against the deadline: a Job starts anew when it goes on. */
export function suspended({ spec }: Job, status: Status, now: number): Status {
  const isTold = status.conditions?.some(({ type, status: is }) => type === "Suspended" && is === "True") === true;
  if (spec?.suspend === true) {
    if (isTold) return status;
    const { startTime: _, ...rest } = status;
    return told(rest, "Suspended", "True", { reason: "JobSuspended", message: "Job suspended" }, now);
  }
  const startTime = isTold ? formatTime(now) : (status.startTime ?? formatTime(now));
  const started = { ...status, startTime };
  return isTold ? told(started, "Suspended", "False", { reason: "JobResumed", message: "Job resumed" }, now) : started;
}

function told(
  status: Status,
  type: string,
  is: "True" | "False",
  { reason, message }: Pick<Verdict, "reason" | "message">,
  now: number,
): Status {
  const before = status.conditions ?? [];
  const same = ({ type: t, status: s, reason: r, message: m }: Condition): boolean =>
    t === type && s === is && r === reason && m === message;
  if (before.some(same)) return status;
  const moment = formatTime(now);
  const next: Condition = { type, status: is, lastProbeTime: moment, lastTransitionTime: moment, reason, message };
  const isThere = before.some((condition) => condition.type === type);
  const conditions = isThere ? before.map((each) => (each.type === type ? next : each)) : [...before, next];
  return { ...status, conditions };
}
