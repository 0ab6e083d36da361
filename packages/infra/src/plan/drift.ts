import { getOwn } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Difference } from "../engine/compare.ts";
import { versionPath } from "../engine/compare-tags.ts";
import type { Memory } from "../engine/memory.ts";
import { nameOfWant, plannedChanges } from "./plan.ts";

/** By what it is known whose doing a difference is. */
export interface Standing {
  readonly object: Immutable<Managed>;
  readonly memory: Memory;
  readonly versions: Readonly<Record<string, string>>;
  readonly wasInSync: boolean;
}

/** Of differences those that others made and that are to be told, not undone. */
export function reportedAmong(standing: Standing, differences: readonly Difference[]): readonly Difference[] {
  const { object, memory, versions } = standing;
  if (object.spec.management?.drift?.mode !== "Report") return [];
  const told = new Map((memory.drift ?? []).map(({ field, of }) => [field, of]));
  return differences.filter((difference) => {
    if (difference.secret && difference.have === undefined) return false;
    if (isOthers(standing, difference)) return true;
    // Told before, and for what is wanted now. Where that is not known it is written: what its owner wants must not be lost.
    const name = nameOfWant(difference, versions);
    return name !== undefined && told.get(difference.path) === name;
  });
}

/** Whether others made a difference: all was as the spec says, of this very resource, and what is wanted has not changed since. */
export function isOthers({ memory, versions, wasInSync }: Standing, { path }: Pick<Difference, "path">): boolean {
  if (!wasInSync || memory.lastSyncTime === undefined) return false;
  const by = versionPath(path);
  return getOwn(versions, by) === getOwn(memory.resource?.versions ?? {}, by);
}

/** Drift as a status tells it. */
export function driftOf(
  differences: readonly Difference[],
  versions: Readonly<Record<string, string>>,
): NonNullable<Memory["drift"]> {
  const names = new Map(differences.map((difference) => [difference.path, nameOfWant(difference, versions)]));
  return plannedChanges(differences).map((change) => {
    const of = names.get(change.field);
    return { ...change, ...(of !== undefined && { of }) };
  });
}
