import type { Immutable } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import { isNamespaceEnding, retry } from "@gatewright/runtime";
import type { Outcome, ReconcileContext } from "@gatewright/runtime";
import { claimsOf, settleClaims } from "../ownership/claims.ts";
import type { Claimer } from "../ownership/claims.ts";
import { confirmCurrent, staleCache } from "../ownership/confirm-current.ts";
import { selectorText } from "../ownership/selector-text.ts";
import { deletePods } from "../pods/delete-pods.ts";
import type { PodMaker, PodOwner } from "../pods/pod-maker.ts";
import { isRefusal } from "../refusal.ts";
import { writeStatus } from "../write-status.ts";
import { aimed, finished, finishedAt, suspended } from "./conditions.ts";
import type { FailureMemory } from "./failure-memory.ts";
import { isTracked, TRACKING } from "./job-pod.ts";
import { letGo } from "./let-go.ts";
import { podsToMake } from "./pods-to-make.ts";
import { failuresOf, pauseAfter, staffingOf } from "./staffing.ts";
import type { Staffing } from "./staffing.ts";
import { tallyOf } from "./tally.ts";
import { counted, hasUncounted, tracked } from "./tracking.ts";
import { completionOf, deadlineMs, verdictOf } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

type Context = ReconcileContext<batch.Job>;
type Job = Immutable<batch.Job>;
type Status = Immutable<batch.JobStatus>;
type Pods = readonly Immutable<core.Pod>[];

/** What a process keeps in mind of Jobs. */
export interface JobMemory {
  readonly maker: PodMaker<batch.Job>;
  readonly failures: FailureMemory;
}

/** What follows from a run: something went wrong, or when to look again. */
export interface JobRun {
  readonly outcome: Outcome | undefined;
  readonly waitMs: number | undefined;
}

/** Brings a Job that is not over a step further: pods, then the status, then the pods that the status has listed, then their number. */
export async function runJob(context: Context, job: Job, { maker, failures }: JobMemory): Promise<JobRun> {
  const { client, clock, signal } = context;
  const claimer: Claimer<batch.Job> = { owner: job, resource: batch.Job, selector: job.spec?.selector ?? {} };
  const owner: PodOwner<batch.Job> = {
    ...claimer,
    isKnown: job.status?.startTime !== undefined || finishedBefore(job),
  };
  const claims = () => claimsOf(claimer, context.cached(core.Pod));
  await settleClaims(context, claimer, core.Pod, claims(), { finalizers: [TRACKING] });

  const seen = claims().kept;
  const begun = await begin(context, job, seen);
  const running: Job = { ...job, status: begun };
  const tally = tallyOf(running, seen);
  const early = verdictOf(running, tally, seen, clock.now());
  const failed = failuresOf(running, seen);
  const seenAt = failures.seenAt(context.key, job.metadata.uid ?? "", failed.length, clock.now());
  const pauseMs = pauseAfter(failed, seenAt, clock.now());
  const staffing: Staffing =
    early !== undefined
      ? { kind: "delete", pods: tally.active, counts: true }
      : job.metadata.deletionTimestamp === undefined
        ? staffingOf(running, tally, seen, pauseMs)
        : { kind: "none" };
  if (staffing.kind === "create" || staffing.kind === "delete") {
    // How many pods are wanted depends on what was counted.
    await confirmCurrent(client, batch.Job, job, { signal, exact: true });
  }
  await maker.trust(context, owner, seen);
  const failure = await staff(context, owner, seen, staffing, maker);

  const pods = claims().kept;
  const verdict = early ?? (failure === undefined ? completionOf(running, tallyOf(running, pods)) : undefined);
  const listed = tracked(running, present(running, begun, pods), pods, verdict);
  const aim = verdict === undefined ? listed.status : aimed(listed.status, verdict, clock.now());
  const written = await writeStatus(client, batch.Job, job, aim, { signal });
  await letGo(context, listed.letGo);

  const left = claims().kept;
  const total = present(running, counted(aim, trackedUids(left)), left);
  const isOver = verdict !== undefined && !hasUncounted(total) && total.terminating === 0 && !listed.more;
  const end = isOver ? finished(total, verdict, clock.now()) : total;
  const ended = await writeStatus(client, batch.Job, written, end, { signal });
  tellEvents(context, job, ended, verdict);
  if (failure !== undefined) return { outcome: retry(failure), waitMs: undefined };
  const waits = [staffing.kind === "wait" ? staffing.ms : undefined, deadlineMs(ended, clock.now())];
  return { outcome: undefined, waitMs: isOver ? undefined : earliest(waits) };
}

/** The status that a run begins with: those counted that have lost their finalizer, and the time running or standing still. */
async function begin({ client, clock, signal }: Context, job: Job, pods: Pods): Promise<Status> {
  const status = job.status ?? {};
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const known = new Set(pods.map(({ metadata }) => metadata.uid));
  const unknown = new Set([...succeeded, ...failed].filter((uid) => !known.has(uid)));
  if (unknown.size > 0) {
    // Gone, or not known yet: one that still has its finalizer would be counted again later.
    const { namespace = "", name = "" } = job.metadata;
    const labelSelector = selectorText(job.spec?.selector ?? {});
    const { items } = await client.for(core.Pod).list({ namespace, labelSelector, signal });
    if (items.some((pod) => isTracked(pod) && unknown.has(pod.metadata.uid ?? ""))) throw staleCache(core.Pod, name);
  }
  return suspended(job, counted(status, trackedUids(pods)), clock.now());
}

/** Makes or deletes pods. Gives what the server refused; what went wrong otherwise is thrown, to be tried again. */
async function staff(
  context: Context,
  owner: PodOwner<batch.Job>,
  pods: Pods,
  staffing: Staffing,
  maker: PodMaker<batch.Job>,
): Promise<unknown> {
  const job = owner.owner;
  try {
    if (staffing.kind === "create") await maker.make(context, owner, pods, podsToMake(job, staffing.indexes));
    if (staffing.kind === "delete") {
      await deletePods(context, job, staffing.counts ? staffing.pods : await letGo(context, staffing.pods));
    }
    return undefined;
  } catch (error) {
    if (isNamespaceEnding(error)) return undefined;
    if (!isRefusal(error)) throw error;
    const [reason, what] = staffing.kind === "create" ? ["FailedCreate", "creating"] : ["FailedDelete", "deleting"];
    context.events.record(job, { type: "Warning", reason, note: `Error ${what}: ${error.message}` });
    return error;
  }
}

/** The status with what the pods show at this moment. */
function present(job: Job, status: Status, pods: Pods): Status {
  const { active, ready, terminating } = tallyOf(job, pods);
  const { active: _, ...rest } = status;
  return { ...rest, ...(active.length > 0 && { active: active.length }), ready, terminating };
}

function tellEvents({ events }: Context, before: Job, after: Job, verdict: Verdict | undefined): void {
  const was = conditionStatus(before, "Suspended");
  const is = conditionStatus(after, "Suspended");
  if (is === "True" && was !== "True")
    events.record(after, { type: "Normal", reason: "Suspended", note: "Job suspended" });
  if (is === "False" && was === "True")
    events.record(after, { type: "Normal", reason: "Resumed", note: "Job resumed" });
  if (verdict === undefined || finishedAt(after) === undefined) return;
  if (verdict.succeeds) events.record(after, { type: "Normal", reason: "Completed", note: "Job completed" });
  else events.record(after, { type: "Warning", reason: verdict.reason, note: verdict.message });
}

function conditionStatus({ status }: Job, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}

function finishedBefore({ status }: Job): boolean {
  return (status?.conditions?.length ?? 0) > 0;
}

function trackedUids(pods: Pods): ReadonlySet<string> {
  return new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ""));
}

function earliest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
