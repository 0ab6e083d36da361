import type { Batch } from "../distribution/batch.ts";
import { differenceOf } from "../distribution/difference.ts";
import type { Held } from "../distribution/difference.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { nameAlone } from "../model/unknown-sources.ts";
import { changing, replacing } from "./wire/bodies.ts";
import { memberHash, memberHashOf, setHash } from "./wire/set-hash.ts";
import type { UpdateBody } from "./wire/update-bytes.ts";

/** What is known of a gateway's content when it begins to follow. */
export type DeliveryStart =
  /** It has nothing, or is to be made to have what it should whatever it has. */
  | { readonly has: "nothing" | "anything" }
  /** It has what there was at a place in the source. */
  | { readonly has: "known"; readonly mark: number; readonly hash: bigint }
  /** It said it, object by object. */
  | { readonly has: "held"; readonly held: readonly Held[] }
  /** It has content with this hash, if that is one of ours. */
  | { readonly has: "unknown"; readonly hash: bigint | undefined };

/** What is sent to begin with. */
export interface Opening {
  readonly bodies: readonly UpdateBody[];
  /** What the gateway's content is before, as far as it is known. */
  readonly hash: bigint;
  /** What those that are set replace. */
  readonly replaced: ReadonlyMap<DeliverableKey, bigint>;
  /** Whether the gateway has all of it for sure once it has acknowledged: it may ignore a snapshot that is smaller than what it has. */
  readonly isSure: boolean;
}

/** What a gateway is sent to begin with, of all that it is to have. `keeps`: what it keeps beside that, if it has it. */
export function openingOf(
  start: Exclude<DeliveryStart, { has: "known" }>,
  whole: Batch,
  takesBatches: boolean,
  keeps: (key: DeliverableKey) => boolean,
): Opening {
  const { set } = whole;
  const plain = { replaced: new Map<DeliverableKey, bigint>(), hash: 0n, isSure: true };
  switch (start.has) {
    case "nothing":
      return { ...plain, bodies: [...replacing(set, takesBatches)] };
    case "anything":
      return { ...plain, bodies: set.length === 0 ? EMPTYING : [...replacing(set, takesBatches)] };
    case "unknown": {
      const hash = setHash(set);
      if (start.hash === hash) return { ...plain, bodies: [], hash };
      return { ...plain, bodies: set.length === 0 ? [] : [...replacing(set, takesBatches)], isSure: false };
    }
    case "held":
      return start.held.length === 0
        ? { ...plain, bodies: [...replacing(set, takesBatches)] }
        : differing(start.held, set, keeps);
  }
}

/** Only what differs from what a gateway holds. */
function differing(
  held: readonly Held[],
  set: readonly Deliverable[],
  keeps: (key: DeliverableKey) => boolean,
): Opening {
  const has = new Map(held.map((one) => [deliverableKey(one), one]));
  const { set: changed, removed, kept } = differenceOf(has, set, keeps);
  const replaced = new Map<DeliverableKey, bigint>();
  let hash = setHash(set); // of which it has most, as a rule, and those hashes are known
  for (const one of changed) {
    const key = deliverableKey(one);
    const before = has.get(key);
    hash ^= memberHash(one);
    if (before === undefined) continue;
    const member = memberHashOf(key, before.version);
    replaced.set(key, member);
    hash ^= member;
  }
  for (const one of [...removed, ...kept]) hash ^= memberHashOf(deliverableKey(one), one.version);
  const gone = removed.map((one) => nameAlone(one, one.version));
  const bodies = [...changing({ set: changed, replaced: new Map(), removed: gone }, true)];
  return { bodies, hash, replaced, isSure: true };
}

/** Gateways of AVAPIGW ignore an empty snapshot: they are given one thing that nothing leads to, and told that it goes. */
const PLACEHOLDER: Deliverable = {
  ...nameAlone({ kind: "Backend", namespace: "gatewright", name: "nothing:0" }, "0"),
  spec: { hosts: [{ address: "127.0.0.1", port: 1, weight: 1 }] },
};
const EMPTYING: readonly UpdateBody[] = [
  { does: "replace", set: [PLACEHOLDER] },
  { does: "delete", one: PLACEHOLDER },
];
