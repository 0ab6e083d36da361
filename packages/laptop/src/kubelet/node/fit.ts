import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { wantsNode } from "./node-affinity.ts";
import { podRequests, requestsOf } from "./pod-requests.ts";
import type { Requests } from "./pod-requests.ts";

/** What the pods of a node take already. */
export interface Taken extends Requests {
  readonly pods: number;
}

interface Misfit {
  readonly reason: string;
  /** Whether it could help that other pods went. */
  readonly preemptable: boolean;
}

/** Why a pod cannot be put on a node, in the scheduler's words; undefined when it can. Pure. */
export function misfit(pod: Immutable<core.Pod>, node: Immutable<core.Node>, taken: Taken): string | undefined {
  const spec = pod.spec ?? { containers: [] };
  // Each filter is asked only when the ones before let the pod through, as the scheduler does.
  const found =
    unschedulable(spec, node) ?? tainted(spec, node) ?? elsewhere(spec, node) ?? insufficient(spec, node, taken);
  if (found === undefined) return undefined;
  const reasons = found
    .map(({ reason }) => `1 ${reason}`)
    .toSorted()
    .join(", ");
  const help = found.every(({ preemptable }) => preemptable)
    ? "No preemption victims found for incoming pod"
    : "Preemption is not helpful for scheduling";
  return (
    `0/1 nodes are available: ${reasons}. no new claims to deallocate, ` +
    `preemption: 0/1 nodes are available: 1 ${help}.`
  );
}

const UNSCHEDULABLE = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

function unschedulable(spec: Immutable<core.PodSpec>, node: Immutable<core.Node>): readonly Misfit[] | undefined {
  if (node.spec?.unschedulable !== true || tolerates(spec, UNSCHEDULABLE)) return undefined;
  return [{ reason: "node(s) were unschedulable", preemptable: false }];
}

function tainted(spec: Immutable<core.PodSpec>, node: Immutable<core.Node>): readonly Misfit[] | undefined {
  const keepsOut = ({ effect }: Immutable<core.Taint>): boolean => effect === "NoSchedule" || effect === "NoExecute";
  const taint = node.spec?.taints?.find((candidate) => keepsOut(candidate) && !tolerates(spec, candidate));
  return taint === undefined ? undefined : [{ reason: "node(s) had untolerated taint(s)", preemptable: false }];
}

function tolerates(spec: Immutable<core.PodSpec>, taint: Immutable<core.Taint>): boolean {
  return (spec.tolerations ?? []).some(({ key, operator = "Equal", value = "", effect }) => {
    if (effect !== undefined && effect !== "" && effect !== taint.effect) return false;
    if (key === undefined || key === "") return operator === "Exists";
    return key === taint.key && (operator === "Exists" || value === (taint.value ?? ""));
  });
}

function elsewhere(spec: Immutable<core.PodSpec>, node: Immutable<core.Node>): readonly Misfit[] | undefined {
  if (wantsNode(spec, node)) return undefined;
  return [{ reason: "node(s) didn't match Pod's node affinity/selector", preemptable: false }];
}

function insufficient(
  spec: Immutable<core.PodSpec>,
  node: Immutable<core.Node>,
  taken: Taken,
): readonly Misfit[] | undefined {
  const room = requestsOf(node.status?.allocatable);
  const asked = podRequests(spec);
  const found: Misfit[] = [];
  if (taken.pods + 1 > Number(node.status?.allocatable?.["pods"] ?? 0)) {
    found.push({ reason: "Too many pods", preemptable: true });
  }
  for (const resource of ["cpu", "memory"] as const) {
    if (asked[resource] === 0n || asked[resource] <= room[resource] - taken[resource]) continue;
    found.push({ reason: `Insufficient ${resource}`, preemptable: asked[resource] <= room[resource] });
  }
  return found.length > 0 ? found : undefined;
}
