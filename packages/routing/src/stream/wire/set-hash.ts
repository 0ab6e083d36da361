import { createHash } from "node:crypto";
import type { Deliverable, DeliverableKey } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";

const known = new WeakMap<Deliverable, bigint>();

/** A deliverable's part in the hash of a set that holds it. */
export function memberHash(deliverable: Deliverable): bigint {
  let hash = known.get(deliverable);
  if (hash === undefined) {
    hash = memberHashOf(deliverableKey(deliverable), deliverable.version);
    known.set(deliverable, hash);
  }
  return hash;
}

/** The same, of what is known by key and version. */
export function memberHashOf(key: DeliverableKey, version: string): bigint {
  return BigInt(`0x${createHash("sha256").update(`${key}\n${version}`).digest("hex").slice(0, 32)}`);
}

/**
 * The hash of a set of deliverables, whatever their order. Who adds or takes one away applies its {@link memberHash} with `^`: a change
 * costs the same however large the set is. 0: nothing.
 */
export function setHash(deliverables: Iterable<Deliverable>): bigint {
  let hash = 0n;
  for (const deliverable of deliverables) hash ^= memberHash(deliverable);
  return hash;
}
