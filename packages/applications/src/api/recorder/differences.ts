import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { ObservedChange } from "../history/change-record.ts";

/** What must have happened between what was known and what a whole list shows. What did not change is for the history to see. */
export function differences(
  known: Iterable<Immutable<ApiObject>>,
  listed: readonly Immutable<ApiObject>[],
): ObservedChange[] {
  const there = new Set(listed.map(keyOf));
  const changes: ObservedChange[] = [];
  for (const object of known) if (!there.has(keyOf(object))) changes.push({ type: "DELETED", object });
  for (const object of listed) changes.push({ type: "ADDED", object });
  return changes;
}
