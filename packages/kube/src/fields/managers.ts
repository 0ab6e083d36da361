import { isObject } from "../json/json.ts";
import type { ManagedFieldsEntry } from "../object.ts";
import { emptySet, union } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFieldsV1, encodeFieldsV1 } from "./fields-v1.ts";

/** One writer and what it owns. Values are never changed; a writer that changes is replaced. */
export interface Manager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** All writers of an object by {@link managerId}. */
export type Managers = Map<string, Manager>;

/** What makes a writer: an applier is the same in every version, an updater is one for each. */
export function managerId(manager: Pick<Manager, "name" | "operation" | "apiVersion" | "subresource">): string {
  const { name, operation, subresource } = manager;
  const apiVersion = operation === "Apply" ? "" : manager.apiVersion;
  return JSON.stringify({
    ...(name !== "" && { manager: name }),
    operation,
    ...(apiVersion !== "" && { apiVersion }),
    ...(subresource !== "" && { subresource }),
  });
}

/**
 * Reads `metadata.managedFields`. Undefined when an entry makes no sense. `stored` ones were written by
 * {@link encodeManagers}; what a client sent need not be in order.
 */
export function decodeManagers(entries: readonly ManagedFieldsEntry[], stored: boolean): Managers | undefined {
  const managers: Managers = new Map();
  for (const entry of entries) {
    const { operation, apiVersion } = entry;
    if (operation !== "Apply" && operation !== "Update") return undefined;
    if (typeof apiVersion !== "string" || apiVersion === "" || entry.fieldsType !== "FieldsV1") return undefined;
    const fields = isObject(entry.fieldsV1) ? decodeFieldsV1(entry.fieldsV1, stored) : emptySet;
    if (fields === undefined) return undefined;
    const manager: Manager = {
      name: entry.manager ?? "",
      operation,
      apiVersion,
      subresource: entry.subresource ?? "",
      time: entry.time ?? undefined,
      fields,
    };
    managers.set(managerId(manager), manager);
  }
  return managers;
}

/** Writes `metadata.managedFields`: appliers first, then by time and name. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].sort(compareManagers).map((manager) => ({
    ...(manager.name !== "" && { manager: manager.name }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time !== undefined && { time: manager.time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFieldsV1(manager.fields),
    ...(manager.subresource !== "" && { subresource: manager.subresource }),
  }));
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    seconds(a.time) - seconds(b.time) ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

const MAX_UPDATERS = 10;

/** Merges the oldest updaters of each version into `ancient-changes` until few enough are left. */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers.values()].filter((manager) => manager.operation === "Update");
  let count = updaters.length;
  if (count <= MAX_UPDATERS) return;
  updaters.sort((a, b) => seconds(a.time) - seconds(b.time) || compareText(managerId(a), managerId(b)));
  const firstOf = new Map<string, Manager>();
  for (const manager of updaters) {
    if (count <= MAX_UPDATERS) return;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) {
      firstOf.set(manager.apiVersion, manager);
      continue;
    }
    const bucket: Manager = { ...manager, name: "ancient-changes", subresource: "" };
    const id = managerId(bucket);
    // Those of the same second come in any order, and the bucket among them.
    if (managerId(manager) === id) continue;
    if (!managers.has(id)) {
      managers.delete(managerId(first));
      managers.set(id, { ...bucket, fields: first.fields });
    }
    managers.delete(managerId(manager));
    managers.set(id, { ...bucket, fields: union(manager.fields, managers.get(id)!.fields) });
    count--;
  }
}
