import type { Batch } from "../../distribution/batch.ts";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { nameBytes, resourceBytes } from "./resource-bytes.ts";
import type { UpdateBody } from "./update-bytes.ts";

/** Gateways take messages below 4 MiB; this leaves room for what is around the resources. */
export const MOST_BYTES = 4 * 1024 * 1024 - 64 * 1024;
/** Tag and length of a resource in a message. */
const AROUND = 8;

/** All that a gateway is to have: a snapshot of as much as a message holds, and the rest after it. */
export function* replacing(
  set: readonly Deliverable[],
  takesBatches: boolean,
  most = MOST_BYTES,
): Generator<UpdateBody> {
  const fits = set.length - [...chunked(set, resourceBytes, most)].slice(1).flat().length;
  yield { does: "replace", set: set.slice(0, fits) };
  const rest = set.slice(fits);
  if (!takesBatches) for (const one of rest) yield { does: "add", one };
  else for (const chunk of chunked(rest, resourceBytes, most)) yield { does: "change", set: chunk, removed: [] };
}

/** What differs, in order: all that is set before anything is removed. */
export function* changing(
  { set, replaced, removed }: Pick<Batch, "set" | "replaced" | "removed">,
  takesBatches: boolean,
  most = MOST_BYTES,
): Generator<UpdateBody> {
  if (!takesBatches) {
    for (const one of set) yield { does: replaced.has(deliverableKey(one)) ? "modify" : "add", one };
    for (const one of removed) yield { does: "delete", one };
    return;
  }
  const sets = [...chunked(set, resourceBytes, most)];
  const removals = [...chunked(removed, nameBytes, most)];
  if (sets.length === 1 && removals.length === 1 && isSmall(set, removed, most)) {
    yield { does: "change", set, removed };
    return;
  }
  for (const chunk of sets) yield { does: "change", set: chunk, removed: [] };
  for (const chunk of removals) yield { does: "change", set: [], removed: chunk };
}

function isSmall(set: readonly Deliverable[], removed: readonly Deliverable[], most: number): boolean {
  const bytes = (sum: number, { byteLength }: Uint8Array): number => sum + byteLength + AROUND;
  return set.map(resourceBytes).reduce(bytes, 0) + removed.map(nameBytes).reduce(bytes, 0) <= most;
}

function* chunked(
  all: readonly Deliverable[],
  encode: (one: Deliverable) => Uint8Array,
  most: number,
): Generator<Deliverable[]> {
  let chunk: Deliverable[] = [];
  let bytes = 0;
  for (const one of all) {
    const { byteLength } = encode(one);
    if (chunk.length > 0 && bytes + byteLength + AROUND > most) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(one);
    bytes += byteLength + AROUND;
  }
  if (chunk.length > 0) yield chunk;
}
