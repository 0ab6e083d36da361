import type { Batch } from "../distribution/batch.ts";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { nameAlone } from "../model/unknown-sources.ts";
import { changing, replacing } from "./wire/bodies.ts";
import { memberHash, memberHashOf, setHash } from "./wire/set-hash.ts";
import type { UpdateBody } from "./wire/update-bytes.ts";

/** Something that a gateway holds, as it told it. */
export type HeldObject = Pick<Deliverable, "kind" | "namespace" | "name" | "version">;

/** What is known of a gateway's content when it begins to follow. */
export type DeliveryStart =
  /** It has nothing, or is to be made to have what it should whatever it has. */
  | { readonly has: "nothing" | "anything" }
  /** It has what there was at a place in the source. */
  | { readonly has: "known"; readonly mark: number; readonly hash: bigint }
  /** It said it, object by object. */
  | { readonly has: "held"; readonly held: readonly HeldObject[] }
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
  held: readonly HeldObject[],
  set: readonly Deliverable[],
  keeps: (key: DeliverableKey) => boolean,
): Opening {
  const versions = new Map(held.map((one) => [deliverableKey(one), one]));
  const wanted = new Set(set.map(deliverableKey));
  const replaced = new Map<DeliverableKey, bigint>();
  let hash = setHash(set);
  const changed = set.filter((one) => {
    const before = versions.get(deliverableKey(one));
    if (before?.version === one.version) return false;
    hash ^= memberHash(one);
    if (before !== undefined) {
      const member = memberHashOf(deliverableKey(one), before.version);
      replaced.set(deliverableKey(one), member);
      hash ^= member;
    }
    return true;
  });
  const others = held.filter((one) => !wanted.has(deliverableKey(one))).map((one) => nameAlone(one, one.version));
  for (const one of others) hash ^= memberHash(one);
  const removed = others.filter((one) => !keeps(deliverableKey(one)));
  const routesFirst = [...removed.filter((one) => !isBackend(one)), ...removed.filter(isBackend)];
  const bodies = [...changing({ set: changed, replaced: new Map(), removed: routesFirst }, true)];
  return { bodies, hash, replaced, isSure: true };
}

function isBackend({ kind }: HeldObject): boolean {
  return kind.endsWith("Backend");
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
