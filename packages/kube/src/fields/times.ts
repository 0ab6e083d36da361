import { deepEqual } from "../json/equal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";

/**
 * Whether two objects are the same but for the times in their managed fields, which a write that changes nothing else must
 * not move. Callers compare with what is stored, so `resourceVersion` counts as everything does.
 */
export function equalIgnoringTimes(a: KubeObject, b: KubeObject): boolean {
  return sameEntries(a.metadata.managedFields ?? [], b.metadata.managedFields ?? []) && sameOtherwise(a, b);
}

/** Puts back the times of the live object when nothing but them would change. */
export function revertTimes(live: KubeObject, updated: KubeObject): void {
  const [before, after] = [live.metadata.managedFields ?? [], updated.metadata.managedFields ?? []];
  if (after.every((entry, i) => entry.time === before[i]?.time)) return;
  if (equalIgnoringTimes(live, updated)) updated.metadata.managedFields = [...before];
}

function sameEntries(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a.length === b.length && a.every((entry, i) => deepEqual(timeless(entry), timeless(b[i]!)));
}

function timeless(entry: ManagedFieldsEntry): Json {
  return { ...entry, time: "" };
}

function sameOtherwise(a: KubeObject, b: KubeObject): boolean {
  const plain = (object: KubeObject): JsonObject => ({
    ...object,
    metadata: { ...object.metadata, managedFields: [] },
  });
  return deepEqual(plain(a), plain(b));
}
