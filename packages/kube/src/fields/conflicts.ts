import { quote } from "../quote.ts";
import { StatusError } from "../status.ts";
import { formatPaths } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { managerId } from "./managers.ts";
import type { Manager } from "./managers.ts";

/** Fields that an applier wants to change and another writer owns. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** 409 with one cause for each field, and everything in the message. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const told = conflicts
    .map(({ manager, fields }) => ({ id: managerId(manager), who: nameOf(manager), paths: formatPaths(fields) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const causes = told.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  return new StatusError({
    code: 409,
    reason: "Conflict",
    message:
      causes.length === 1
        ? `Apply failed with 1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`
        : `Apply failed with ${causes.length} conflicts: ${told.map(({ who, paths }) => [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join("\n")).join("\n")}`,
    details: { causes },
  });
}

function nameOf(manager: Manager): string {
  const name =
    quote(manager.name) + (manager.subresource === "" ? "" : ` with subresource ${quote(manager.subresource)}`);
  return manager.operation === "Update" ? `${name} using ${manager.apiVersion}` : name;
}
