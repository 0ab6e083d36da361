import type { Column } from "./resource-definition.ts";

/** How long ago the object was made. Kinds with columns of their own show it only if they ask for it. */
export const ageColumn: Column = { name: "Age", type: "date", path: ".metadata.creationTimestamp" };

/** The status of a condition, under its name. */
export function conditionColumn(type: string, options: { readonly priority?: number } = {}): Column {
  return { name: type, type: "string", path: `.status.conditions[?(@.type=="${type}")].status`, ...options };
}
