import { parseFieldSelector, parseLabelSelector } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { CacheScope } from "./informer.ts";

/** Equal for equal scopes. */
export function scopeKey(scope: CacheScope): string {
  return JSON.stringify([
    scope.namespace ?? "",
    scope.labelSelector ?? "",
    scope.fieldSelector ?? "",
    scope.metadataOnly === true,
  ]);
}

/** A scope in a few words, for metrics and logs: empty for a whole kind. */
export function scopeText(scope: CacheScope): string {
  return [
    scope.namespace,
    scope.labelSelector,
    scope.fieldSelector,
    scope.metadataOnly === true ? "metadata" : undefined,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/** How an object stands to a scope: in another namespace it never enters; within, its labels and fields may let it in and out. */
export type Standing = "elsewhere" | "outside" | "inside";

/**
 * Judges objects as the server would. Field selectors compare the text of the field, which is what they mean for every field that
 * the built-in kinds and custom resources can be selected by.
 */
export function standingIn(scope: CacheScope): (object: Immutable<ApiObject>) => Standing {
  const labels = parseLabelSelector(scope.labelSelector ?? "");
  const fields = parseFieldSelector(scope.fieldSelector ?? "");
  return (object) => {
    if ((scope.namespace ?? "") !== "" && object.metadata.namespace !== scope.namespace) return "elsewhere";
    const selected =
      labels.matches(object.metadata.labels) &&
      fields.every(({ label, operator, value }) => (fieldText(object, label) === value) === (operator === "="));
    return selected ? "inside" : "outside";
  };
}

function fieldText(object: Immutable<ApiObject>, path: string): string {
  let at: unknown = object;
  for (const key of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return "";
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return typeof at === "object" || at === undefined ? "" : String(at);
}
