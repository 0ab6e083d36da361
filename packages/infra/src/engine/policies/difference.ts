import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import type { Difference } from "../compare.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Fact } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { driftOf, isOthers, reportedAmong } from "../../plan/drift.ts";
import { nameIn, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** What differs because others changed it and is to be told, not undone. */
function reportedDrift(seen: Observation): readonly Difference[] {
  const { resource } = seen;
  if (resource.is !== "present") return [];
  return reportedAmong(seen, [...(resource.comparison?.differences ?? []), ...tagDifferences(seen)]);
}

/** Fields that are told and left as they are. */
export function toldPaths(seen: Observation): ReadonlySet<string> {
  return new Set(reportedDrift(seen).map(({ path }) => path));
}

/** Tags that differ, as fields. Those that say whose it is are never merely reported. */
function tagDifferences({ resource }: Observation): readonly Difference[] {
  if (resource.is !== "present" || resource.tags === undefined) return [];
  const { set, remove } = resource.tags;
  const field = (key: string, want: string | undefined): Difference => ({
    path: `tags.${key}`,
    change: "in-place",
    want,
    have: undefined,
    secret: false,
  });
  return [
    ...Object.entries(set).map(([key, value]) => field(key, value)),
    ...remove.map((key) => field(key, undefined)),
  ];
}

/** Others changed the resource, and the object says that this is to be told and not undone. */
export const reported: Policy = (seen) => {
  const { resource, memory, versions, lookAgainMs } = seen;
  const drifted = reportedDrift(seen);
  if (resource.is !== "present" || drifted.length === 0) return undefined;
  const drift = driftOf(drifted, versions);
  const all = (resource.comparison?.differences.length ?? 0) + tagDifferences(seen).length;
  if (!deepEqual(memory.drift as Json | undefined, drift as unknown as Json))
    return remember(remembering(memory, { drift }));
  if (drifted.length < all) return undefined;
  const message = `${nameIn(seen)} was changed by others: ${drift.map(({ field }) => field).join(", ")}.`;
  return rest({ ready: "True", reason: REASONS.Drifted, message }, lookAgainMs);
};

/** The same was written again and again, and AWS has it otherwise: somebody else writes too, or AWS does not keep it as it is said. */
export const writeLoop: Policy = (seen) => {
  const { paths, waitMs } = seen.loops;
  if (paths.length === 0) return undefined;
  const message = `${paths.join(", ")} was written four times within ten minutes and differs again. Somebody else changes it, or AWS keeps it in another form: leave it out, or name it in management.drift.ignoreFields.`;
  return rest({ ready: "False", reason: REASONS.WriteLoop, message }, waitMs);
};

/** Fields are remembered before they are written, so that they are reset when they leave the spec, whatever happens in between. */
export const undeclared: Policy = ({ memory, resource, declared }) => {
  if (resource.is !== "present" || memory.resource === undefined) return undefined;
  const before = memory.resource.fields ?? [];
  const added = declared.filter((path) => !before.includes(path));
  if (added.length === 0) return undefined;
  return remember(remembering(memory, { resource: { ...memory.resource, fields: [...before, ...added] } }));
};

/** AWS does not let a part of it be changed as things are. */
export const changeObstructed: Policy = ({ answers }) => {
  if (answers.obstacle === undefined) return undefined;
  const { reason, message, afterMs = SELDOM_MS } = answers.obstacle;
  return rest({ reason: REASONS[reason], message }, afterMs);
};

/** Fields are not in AWS as the spec says. */
export const differs: Policy = (seen) => {
  const { resource } = seen;
  if (resource.is !== "present") return undefined;
  const told = toldPaths(seen);
  const differences = (resource.comparison?.differences ?? []).filter(
    ({ path, change }) => change === "in-place" && !told.has(path),
  );
  if (differences.length === 0) return undefined;
  const message = `${nameIn(seen)} is being changed: ${differences.map(({ path }) => path).join(", ")}.`;
  const fact: Fact = { reason: REASONS.Applying, message };
  if (differences.every(({ path }) => seen.paced.paths.has(path))) return rest(fact, seen.paced.waitMs);
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, fact);
  const drifted = differences.every((difference) => isOthers(seen, difference));
  return ask({ type: "change", differences, drifted }, fact);
};

/** Tags are missing, other than they should be, or were taken out of the spec. */
export const tagsDiffer: Policy = (seen) => {
  const { resource } = seen;
  if (resource.is !== "present" || resource.tags === undefined) return undefined;
  const told = toldPaths(seen);
  const set = Object.entries(resource.tags.set).filter(([key]) => !told.has(`tags.${key}`));
  const remove = resource.tags.remove.filter((key) => !told.has(`tags.${key}`));
  if (set.length + remove.length === 0) return undefined;
  const fact: Fact = { reason: REASONS.Applying, message: `${nameIn(seen)} is being tagged.` };
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, fact);
  return ask({ type: "tag", change: { set: Object.fromEntries(set), remove }, why: "Repair" }, fact);
};
