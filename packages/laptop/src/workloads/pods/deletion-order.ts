import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { isReady, readySince } from "./pod-state.ts";

type Pod = Immutable<core.Pod>;
type Order = (a: Ranked, b: Ranked) => number;

interface Ranked {
  readonly pod: Pod;
  readonly ready: boolean;
  readonly neighbours: number;
}

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const PHASES: readonly (string | undefined)[] = ["Pending", "Unknown", "Running"];

/** Earlier ones decide. Negative: the first pod goes first. */
const ORDERS: readonly Order[] = [
  (a, b) => Number(isAssigned(a.pod)) - Number(isAssigned(b.pod)),
  (a, b) => PHASES.indexOf(a.pod.status?.phase) - PHASES.indexOf(b.pod.status?.phase),
  (a, b) => Number(a.ready) - Number(b.ready),
  (a, b) => deletionCost(a.pod) - deletionCost(b.pod),
  (a, b) => b.neighbours - a.neighbours,
  (a, b) => (a.ready && b.ready ? shorterFirst(age(readySince(a.pod)), age(readySince(b.pod))) : 0),
  (a, b) => restarts(b.pod) - restarts(a.pod),
  (a, b) => shorterFirst(age(createdAt(a.pod)), age(createdAt(b.pod))),
  (a, b) => ((a.pod.metadata.uid ?? "") < (b.pod.metadata.uid ?? "") ? -1 : 1),
];

/**
 * Pods in the order in which they are deleted when there are too many: those that serve least first, then those that users say cost
 * least, that share their node with most others, that came last.
 *
 * Kubernetes compares ages by their logarithm, so that the choice among pods of about one age is random; here the younger one goes.
 */
export function inDeletionOrder(pods: readonly Pod[]): readonly Pod[] {
  const onNode = new Map<string, number>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName;
    if (node !== undefined && isReady(pod)) onNode.set(node, (onNode.get(node) ?? 0) + 1);
  }
  return pods
    .map((pod) => ({ pod, ready: isReady(pod), neighbours: onNode.get(pod.spec?.nodeName ?? "") ?? 0 }))
    .sort(compare)
    .map(({ pod }) => pod);
}

function compare(a: Ranked, b: Ranked): number {
  for (const order of ORDERS) {
    const decided = order(a, b);
    if (decided !== 0) return decided;
  }
  return 0;
}

function isAssigned({ spec }: Pod): boolean {
  return spec?.nodeName !== undefined && spec.nodeName !== "";
}

function deletionCost({ metadata: { annotations } }: Pod): number {
  const text = annotations?.[DELETION_COST] ?? "";
  return /^[+-]?\d{1,10}$/.test(text) && !/^[+-]?0\d/.test(text) ? Number(text) : 0;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function createdAt({ metadata }: Pod): number | undefined {
  return parseTime(metadata.creationTimestamp ?? "");
}

/** An unknown moment counts as later than any. */
function age(moment: number | undefined): number {
  return moment === undefined ? Number.NEGATIVE_INFINITY : -moment;
}

function shorterFirst(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
