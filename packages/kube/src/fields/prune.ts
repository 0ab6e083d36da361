import type { JsonObject } from "../json/json.ts";
import type { ObjectType } from "../type-node.ts";
import { difference, emptySet, intersection, isSubset, union } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { Tracking } from "./field-tracking.ts";
import { fieldsOf } from "./fields-of.ts";
import type { Manager, Managers } from "./managers.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeItems } from "./remove-items.ts";

/**
 * Removes from a merged object what an applier applied last time, does not apply now, and nobody else owns. `managers` has
 * the applier's new set already; `last` is its old entry.
 */
export function pruneGivenUp(
  merged: JsonObject,
  managers: Managers,
  last: Manager | undefined,
  self: string,
  tracking: Tracking,
): JsonObject {
  if (last === undefined || isSubset(last.fields, managers.get(self)?.fields ?? emptySet)) return merged;
  const type = tracking.typeOf(last.apiVersion);
  if (type === undefined) return merged;
  const lastFields = withNamedFields(last.fields, type);
  const present = new Map<ObjectType, FieldSet>();
  const presentIn = (inType: ObjectType): FieldSet => {
    const known = present.get(inType) ?? withNamedFields(fieldsOf(merged, inType), inType);
    present.set(inType, known);
    return known;
  };
  let pruned = removeItems(merged, lastFields, type);
  for (const [apiVersion, owned] of ownedByVersion(managers, last.apiVersion)) {
    const inType = tracking.typeOf(apiVersion);
    if (inType === undefined) continue;
    const kept = union(withNamedFields(fieldsOf(pruned, inType), inType), withNamedFields(owned, inType));
    pruned = removeItems(merged, difference(presentIn(inType), kept), inType);
  }
  const after = withNamedFields(fieldsOf(pruned, type), type);
  return removeItems(merged, intersection(difference(presentIn(type), after), lastFields), type);
}

/** All that is owned, in each version that writers used, starting with `first`. */
function ownedByVersion(managers: Managers, first: string): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, emptySet]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, fields));
  }
  return owned;
}
