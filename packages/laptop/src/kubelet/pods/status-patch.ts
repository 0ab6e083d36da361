import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

type Status = Immutable<core.PodStatus>;
type Condition = Immutable<core.PodCondition>;

/** Fields of a status that the kubelet answers for, besides the conditions. */
const FIELDS = [
  "phase",
  "reason",
  "message",
  "observedGeneration",
  "hostIP",
  "hostIPs",
  "podIP",
  "podIPs",
  "startTime",
  "containerStatuses",
  "initContainerStatuses",
] as const;

/**
 * The strategic merge patch that makes a pod's status what the kubelet wants, undefined when it is that already. Conditions and
 * fields of others are left alone.
 */
export function statusPatch(
  current: Status | undefined,
  desired: Status,
): Readonly<Record<string, unknown>> | undefined {
  const patch: Record<string, unknown> = {};
  for (const field of FIELDS) {
    if (same(current?.[field], desired[field])) continue;
    patch[field] = desired[field] ?? null;
  }
  const conditions = (desired.conditions ?? []).filter((condition) => {
    const known = current?.conditions?.find(({ type }) => type === condition.type);
    return known === undefined || !sameCondition(known, condition);
  });
  // What a condition does not say any more must be taken out by name: entries of this list are merged.
  if (conditions.length > 0) patch["conditions"] = conditions.map((c) => ({ reason: null, message: null, ...c }));
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function sameCondition(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    (a.reason ?? "") === (b.reason ?? "") &&
    (a.message ?? "") === (b.message ?? "") &&
    a.observedGeneration === b.observedGeneration
  );
}

/** Both are plain JSON, one from the server and one made here. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && deepEqual(a as Json, b as Json));
}
