import { deliverableKey } from "../model/deliverable.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";

/** Something that a gateway has, as it told it. */
export type Held = Pick<Deliverable, "kind" | "namespace" | "name" | "version">;

/** How what a gateway has differs from what it is to have. */
export interface Difference {
  /** What it has not, or has in another version, in the order in which it is to be set. */
  readonly set: readonly Deliverable[];
  /** What it is no longer to have. Routes come first: what they lead to stays until they are gone. */
  readonly removed: readonly Held[];
  /** What it has and may keep, though it is not to be given it. */
  readonly kept: readonly Held[];
}

/** What is between what a gateway has and what it is to have. */
export function differenceOf(
  held: ReadonlyMap<DeliverableKey, Held>,
  set: readonly Deliverable[],
  keeps: (key: DeliverableKey) => boolean,
): Difference {
  const wanted = new Set(set.map(deliverableKey));
  const [removed, kept]: [Held[], Held[]] = [[], []];
  for (const [key, one] of held) if (!wanted.has(key)) (keeps(key) ? kept : removed).push(one);
  return {
    set: set.filter((one) => held.get(deliverableKey(one))?.version !== one.version),
    removed: removed.toSorted((one, other) => Number(isBackend(one)) - Number(isBackend(other))),
    kept,
  };
}

function isBackend({ kind }: Held): boolean {
  return kind.endsWith("Backend");
}
