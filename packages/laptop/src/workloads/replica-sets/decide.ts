import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { inDeletionOrder } from "../pods/deletion-order.ts";

/** What brings the number of pods nearer to what it should be. */
export type Correction =
  | { readonly kind: "none" }
  | { readonly kind: "create"; readonly count: number }
  | { readonly kind: "delete"; readonly pods: readonly Immutable<core.Pod>[] };

/** More are not made or deleted in one run, so that other ReplicaSets get their turn. */
const MOST_AT_ONCE = 500;

/** Decides how many pods to make, or which ones to delete. Pure. `active` are the pods that count. */
export function decide(replicas: number, active: readonly Immutable<core.Pod>[]): Correction {
  const missing = replicas - active.length;
  if (missing > 0) return { kind: "create", count: Math.min(missing, MOST_AT_ONCE) };
  if (missing === 0) return { kind: "none" };
  return { kind: "delete", pods: inDeletionOrder(active).slice(0, Math.min(-missing, MOST_AT_ONCE)) };
}
