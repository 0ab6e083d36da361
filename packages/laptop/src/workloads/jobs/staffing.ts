import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";
import { inDeletionOrder } from "../pods/deletion-order.ts";
import { isTerminating } from "../pods/pod-state.ts";
import { completionIndex, endedAt, hasFailed, isIndexed, waitsForEnd } from "./job-pod.ts";
import type { Tally } from "./tally.ts";

type Job = Immutable<batch.Job>;
type Pod = Immutable<core.Pod>;

/** What brings the pods of a Job nearer to what they should be. */
export type Staffing =
  | { readonly kind: "none" }
  /** `counts`: whether they count as failed. Those that are not needed do not. */
  | { readonly kind: "delete"; readonly pods: readonly Pod[]; readonly counts: boolean }
  /** An entry for each pod: the index that it works on, or undefined where there are none. */
  | { readonly kind: "create"; readonly indexes: readonly (number | undefined)[] }
  /** Pods have failed: new ones come later. */
  | { readonly kind: "wait"; readonly ms: number };

const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 600_000;
const MOST_AT_ONCE = 500;

/** The moments at which pods failed since the last one succeeded. */
export function failuresOf(job: Job, pods: readonly Pod[]): readonly number[] {
  const lastSuccess = Math.max(...pods.filter(({ status }) => status?.phase === "Succeeded").map(endedAt), -Infinity);
  return pods
    .filter((pod) => hasFailed(job, pod))
    .map(endedAt)
    .filter((at) => at > lastSuccess);
}

/** Decides which pods to make or delete while a Job goes on. Pure. `pauseMs`: how long to wait before new ones are made. */
export function staffingOf(job: Job, tally: Tally, pods: readonly Pod[], pauseMs: number): Staffing {
  const wanted = wantedPods(job, tally);
  const surplus = surplusPods(job, tally.active, Math.max(tally.active.length - wanted, 0));
  if (surplus.length > 0) return { kind: "delete", pods: surplus.slice(0, MOST_AT_ONCE), counts: false };
  const leaving = waitsForEnd(job) ? pods.filter(isTerminating) : [];
  const missing = Math.min(wanted - tally.active.length - leaving.length, MOST_AT_ONCE);
  if (missing <= 0) return { kind: "none" };
  if (pauseMs > 0) return { kind: "wait", ms: pauseMs };
  if (!isIndexed(job)) return { kind: "create", indexes: Array.from({ length: missing }, () => undefined) };
  const busy = new Set([...tally.active, ...leaving].map(completionIndex));
  const indexes: number[] = [];
  for (let index = 0; index < (job.spec?.completions ?? 0) && indexes.length < missing; index++) {
    if (!busy.has(index) && !tally.completed.has(index)) indexes.push(index);
  }
  return indexes.length === 0 ? { kind: "none" } : { kind: "create", indexes };
}

function wantedPods({ spec }: Job, { active, succeeded }: Tally): number {
  const parallelism = spec?.parallelism ?? 1;
  if (spec?.suspend === true) return 0;
  if (spec?.completions !== undefined) return Math.max(Math.min(spec.completions - succeeded, parallelism), 0);
  // Without a number of completions the first success tells that the work is done: the others finish theirs.
  return succeeded > 0 ? Math.min(active.length, parallelism) : parallelism;
}

/** Besides too many pods: those of an index that is not wanted, or that another pod works on. */
function surplusPods(job: Job, active: readonly Pod[], atLeast: number): readonly Pod[] {
  const ordered = inDeletionOrder(active);
  if (!isIndexed(job)) return ordered.slice(0, atLeast);
  const seen = new Set<number>();
  const useless = new Set<Pod>();
  for (const pod of ordered.toReversed()) {
    const index = completionIndex(pod);
    if (index === undefined || index >= (job.spec?.completions ?? 0) || seen.has(index)) useless.add(pod);
    else seen.add(index);
  }
  const others = ordered.filter((pod) => !useless.has(pod)).slice(0, Math.max(atLeast - useless.size, 0));
  return [...useless, ...others];
}

/** How long to wait after failures: 10 s from the last one, doubled with each, 10 minutes at most. */
export function pauseAfter(failures: readonly number[], seenAt: number, now: number): number {
  if (failures.length === 0) return 0;
  const pause = Math.min(FIRST_BACKOFF_MS * 2 ** (failures.length - 1), LONGEST_BACKOFF_MS);
  return Math.max(Math.min(Math.max(...failures), seenAt) + pause - now, 0);
}
