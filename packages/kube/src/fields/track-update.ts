import type { JsonObject } from "../json/json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import { adaptManagers, observeWrite, takeFromOthers, tracked, withoutReset } from "./field-tracking.ts";
import type { Tracking } from "./field-tracking.ts";
import { emptySet, union } from "./field-set.ts";
import { UnnamedItem } from "./list-item.ts";
import { capUpdaters, decodeManagers, encodeManagers, managerId } from "./managers.ts";
import type { Manager, Managers } from "./managers.ts";
import { revertTimes } from "./times.ts";

export interface UpdateRequest extends Tracking {
  /** The object before the write; undefined when it is created. */
  readonly live: KubeObject | undefined;
  /** The object after the write, in the same version. Its `metadata.managedFields` are set. */
  readonly updated: KubeObject;
  /**
   * What an object of the kind holds before anybody set anything: the empty structs of built-in kinds. Nothing for custom
   * resources.
   */
  readonly blank?: JsonObject;
  readonly manager: string;
  readonly subresource: string;
  /** RFC 3339 with seconds. */
  readonly now: string;
}

/**
 * Records in `metadata.managedFields` who owns what after a create, an update or a patch that is not an apply. Managed
 * fields that the client sent replace those of the live object; an empty list, or one empty entry, switches tracking off
 * until the next apply; none keep what is there. Never throws: an object that cannot be compared loses its managed fields.
 */
export function trackUpdate(request: UpdateRequest): void {
  const { live, updated } = request;
  const managers = startingManagers(request);
  delete updated.metadata.managedFields;
  if (managers.size === 0 && live !== undefined) return;
  try {
    recordUpdate(managers, live ?? request.blank ?? {}, updated, request);
  } catch (error) {
    if (error instanceof UnnamedItem) return;
    throw error;
  }
  if (managers.size === 0) return;
  updated.metadata.managedFields = encodeManagers(managers);
  if (live !== undefined) revertTimes(live, updated);
}

/** Adds what changed between two objects to the writer's entry. */
export function recordUpdate(
  managers: Managers,
  before: JsonObject,
  after: JsonObject,
  request: Tracking & Pick<UpdateRequest, "manager" | "subresource" | "now">,
): void {
  adaptManagers(managers, request);
  const outcome = observeWrite(before, after, managers, "", request);
  takeFromOthers(managers, "", outcome);
  const { added, modified } = outcome.comparison;
  const gained = tracked(withoutReset(union(modified, added), request));
  if (gained.size > 0) {
    const { apiVersion, subresource, now } = request;
    const writer: Manager = {
      name: request.manager || "unknown",
      operation: "Update",
      apiVersion,
      subresource,
      time: now,
      fields: gained,
    };
    const id = managerId(writer);
    managers.set(id, { ...writer, fields: union(gained, managers.get(id)?.fields ?? emptySet) });
  }
  capUpdaters(managers);
}

function startingManagers({ live, updated, subresource }: UpdateRequest): Managers {
  const kept = (): Managers => decodeManagers(live?.metadata.managedFields ?? [], true) ?? new Map();
  if (subresource !== "") return kept();
  const sent = updated.metadata.managedFields ?? undefined;
  if (sent === undefined) return kept();
  if (isReset(sent)) return new Map();
  const managers = decodeManagers(sent, false);
  return managers === undefined || managers.size === 0 ? kept() : managers;
}

function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  if (entries.length === 0) return true;
  return entries.length === 1 && Object.values(entries[0]!).every((value) => value === "" || value === null);
}
