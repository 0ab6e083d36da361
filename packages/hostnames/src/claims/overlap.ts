import type { Immutable } from "@gatewright/kube";
import type { DomainClaim } from "@gatewright/resources";
import { overlaps } from "../names/index.ts";

type Claim = Immutable<DomainClaim>;

/**
 * Whether a claim may count as held, given the claims whose names overlap with its own.
 * - `free`: nothing stands in the way.
 * - `waits`: neither is held yet, and the other goes first. Nothing may be made meanwhile.
 * - `yields`: the other is held, or comes first: this claim is to be deleted.
 */
export type Standing =
  | { readonly state: "free" }
  | { readonly state: "waits"; readonly for: Claim }
  | { readonly state: "yields"; readonly to: Claim };

/** A claim of another namespace whose name overlaps: a wildcard and what is below it. One namespace may hold both. */
export function rivalOf(
  { hostname, namespace }: { readonly hostname: string; readonly namespace: string },
  claims: Iterable<Claim>,
): Claim | undefined {
  for (const claim of claims) {
    const { spec } = claim;
    if (spec.ownerRef.namespace !== namespace && spec.hostname !== hostname && overlaps(spec.hostname, hostname)) {
      return claim;
    }
  }
  return undefined;
}

/**
 * How a claim stands. Pure. Two processes that claim overlapping names at once both see the other's claim if each looks, live, after
 * its own was made: so nobody holds a name (`status.claimedAt`) who has not looked since and found it `free`. Of two that are not
 * held, the younger yields, and the older waits until it has gone, since the younger may have looked before the older one was made.
 */
export function standing(own: Claim, claims: Iterable<Claim>): Standing {
  const place = { hostname: own.spec.hostname, namespace: own.spec.ownerRef.namespace };
  if (own.status?.claimedAt !== undefined) return { state: "free" };
  let waits: Standing = { state: "free" };
  for (const claim of claims) {
    if (rivalOf(place, [claim]) === undefined) continue;
    if (claim.status?.claimedAt !== undefined || isOlder(claim, own)) return { state: "yields", to: claim };
    waits = { state: "waits", for: claim };
  }
  return waits;
}

/** A total order, so that of two claims exactly one yields. */
function isOlder({ metadata: a }: Claim, { metadata: b }: Claim): boolean {
  const [left, right] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  return left === right ? (a.uid ?? "") < (b.uid ?? "") : left < right;
}
