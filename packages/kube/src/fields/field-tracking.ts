import type { JsonObject } from "../json/json.ts";
import type { ObjectType } from "../type-node.ts";
import { compare } from "./compare.ts";
import type { Comparison } from "./compare.ts";
import { difference, differenceBelow, intersection, setOfFields, union } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { Conflict } from "./conflicts.ts";
import type { Managers } from "./managers.ts";
import { adaptToSchema } from "./schema-change.ts";

/** What tracking must know of a request besides the objects. */
export interface Tracking {
  readonly apiVersion: string;
  /** The type of a version of the kind, or undefined where the version is no longer served. */
  typeOf(apiVersion: string): ObjectType | undefined;
  /** Fields that the write leaves alone, and so nobody gains. */
  readonly resetFields: readonly (readonly string[])[];
}

/** Never owned by anyone. */
const UNTRACKED = setOfFields([
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["metadata", name]),
]);

/** The set without fields that nobody owns. */
export function tracked(set: FieldSet): FieldSet {
  return difference(set, UNTRACKED);
}

const resetSets = new WeakMap<readonly (readonly string[])[], FieldSet>();

/** The set without what the write leaves alone. */
export function withoutReset(set: FieldSet, tracking: Tracking): FieldSet {
  let reset = resetSets.get(tracking.resetFields);
  if (reset === undefined) {
    reset = setOfFields(tracking.resetFields);
    resetSets.set(tracking.resetFields, reset);
  }
  return differenceBelow(set, reset);
}

/** Drops writers of versions that are gone, and adapts the others to schemas that moved on. */
export function adaptManagers(managers: Managers, tracking: Tracking): void {
  for (const [id, manager] of managers) {
    const type = tracking.typeOf(manager.apiVersion);
    if (type === undefined) {
      managers.delete(id);
      continue;
    }
    const fields = adaptToSchema(manager.fields, type);
    if (fields !== manager.fields) managers.set(id, { ...manager, fields });
  }
}

/** What a write did, and whom it takes fields from. */
export interface Outcome {
  readonly comparison: Comparison;
  /** The same write as a writer of another version sees it. */
  comparisonIn(apiVersion: string): Comparison;
  readonly conflicts: readonly Conflict[];
}

function typeIn(apiVersion: string, tracking: Tracking): ObjectType {
  const type = tracking.typeOf(apiVersion);
  if (type === undefined) throw new Error(`no type for ${apiVersion}`);
  return type;
}

/** Only writers of the same version are spared what the write leaves alone, as in kube-apiserver. */
function comparisonWithoutReset({ added, modified, removed }: Comparison, tracking: Tracking): Comparison {
  return {
    added: withoutReset(added, tracking),
    modified: withoutReset(modified, tracking),
    removed: withoutReset(removed, tracking),
  };
}

/** Compares before and after, and finds who but the writer `self` owns what was changed. Changes nothing. */
export function observeWrite(
  before: JsonObject,
  after: JsonObject,
  managers: Managers,
  self: string,
  tracking: Tracking,
): Outcome {
  const comparisons = new Map<string, Comparison>();
  const comparisonIn = (apiVersion: string): Comparison => {
    let made = comparisons.get(apiVersion);
    if (made === undefined) {
      made = compare(before, after, typeIn(apiVersion, tracking));
      if (apiVersion === tracking.apiVersion) made = comparisonWithoutReset(made, tracking);
      comparisons.set(apiVersion, made);
    }
    return made;
  };
  const comparison = comparisonIn(tracking.apiVersion);
  const conflicts: Conflict[] = [];
  for (const [id, manager] of managers) {
    if (id === self) continue;
    const { added, modified } = comparisonIn(manager.apiVersion);
    const fields = intersection(manager.fields, union(modified, added));
    if (fields.size > 0) conflicts.push({ manager, fields });
  }
  return { comparison, comparisonIn, conflicts };
}

/** Takes what a write changed or removed from all writers but `self`. Writers that own nothing any more are gone. */
export function takeFromOthers(managers: Managers, self: string, outcome: Outcome): void {
  for (const [id, manager] of managers) {
    let { fields } = manager;
    if (id !== self) {
      const { added, modified, removed } = outcome.comparisonIn(manager.apiVersion);
      fields = difference(difference(difference(fields, modified), added), removed);
    }
    if (fields.size === 0) managers.delete(id);
    else if (fields !== manager.fields) managers.set(id, { ...manager, fields });
  }
}
