import type { Change } from "../model/catalogue.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";

/** What one gateway is to be told next. */
export interface Batch {
  /** Who has taken it has all up to this revision. */
  readonly through: number;
  /** `set` is all that the gateway is to have: what else it has, goes. */
  readonly whole: boolean;
  /** What is new or changed: backends first, so that routes find them. */
  readonly set: readonly Deliverable[];
  /** What those of `set` replace that are not new. */
  readonly replaced: ReadonlyMap<DeliverableKey, Deliverable>;
  /** What goes, as it was: routes first, so that backends go unused. */
  readonly removed: readonly Deliverable[];
}

/** All that a gateway is to have. */
export function wholeBatch(
  deliverables: Iterable<Deliverable>,
  through: number,
  selects: (deliverable: Deliverable) => boolean,
): Batch {
  const set: Deliverable[] = [];
  for (const deliverable of deliverables) if (selects(deliverable)) set.push(deliverable);
  return { through, whole: true, set: backendsFirst(set), replaced: new Map(), removed: [] };
}

/** What differs for a gateway. One that it is no longer to have is one that goes; what is as it was is not told. */
export function batchOf(
  changes: readonly Change[],
  through: number,
  selects: (deliverable: Deliverable) => boolean,
): Batch {
  const [set, removed]: [Deliverable[], Deliverable[]] = [[], []];
  const replaced = new Map<DeliverableKey, Deliverable>();
  for (const { key, deliverable, previous } of changes) {
    const had = previous !== undefined && selects(previous);
    if (deliverable !== undefined && selects(deliverable)) {
      if (had && previous.version === deliverable.version) continue;
      if (had) replaced.set(key, previous);
      set.push(deliverable);
    } else if (had) removed.push(previous);
  }
  return { through, whole: false, set: backendsFirst(set), replaced, removed: backendsFirst(removed).toReversed() };
}

function backendsFirst(deliverables: readonly Deliverable[]): Deliverable[] {
  const [backends, routes]: [Deliverable[], Deliverable[]] = [[], []];
  for (const deliverable of deliverables) (isBackend(deliverable) ? backends : routes).push(deliverable);
  return [...backends, ...routes];
}

function isBackend({ kind }: Deliverable): boolean {
  return kind === "Backend" || kind === "GRPCBackend" || kind === "GraphQLBackend";
}
