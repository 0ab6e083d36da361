import { invalid, isObject } from "@gatewright/kube";
import type { FieldError, Json, JsonObject } from "@gatewright/kube";
import { text } from "../resources/object-fields.ts";
import { goType } from "./go-type.ts";

const MAX_INT32 = 2147483647;

/** The keys of a path in dot notation: `.spec.replicas`. */
export function pathSegments(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

const goText = (value: Json): string =>
  value === null ? "<nil>" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** The value at a path; undefined where it is missing; or why the way there is barred. */
function valueAt(object: JsonObject, segments: readonly string[]): { value: Json | undefined } | { why: string } {
  let at: Json = object;
  for (const [i, name] of segments.entries()) {
    if (at === null) return { value: undefined };
    if (!isObject(at)) return { why: mismatch(at, segments.slice(0, i + 1), "map[string]interface{}") };
    if (!Object.hasOwn(at, name)) return { value: undefined };
    at = at[name]!;
  }
  return { value: at };
}

function mismatch(value: Json, segments: readonly string[], expected: string): string {
  return `.${segments.join(".")} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;
}

function replicaErrors(object: JsonObject, path: string): FieldError[] {
  const segments = pathSegments(path);
  const found = valueAt(object, segments);
  if ("why" in found) return [invalid(path, 0, found.why)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value))
    return [invalid(path, 0, mismatch(value, segments, "int64"))];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  if (value > MAX_INT32) return [invalid(path, value, `should be less than or equal to ${MAX_INT32}`)];
  return [];
}

/** What is wrong with the wanted count of a scalable object. */
export function scaleSpecErrors(object: JsonObject, scale: JsonObject | undefined): FieldError[] {
  return scale ? replicaErrors(object, text(scale, "specReplicasPath")) : [];
}

/** What is wrong with the counted replicas and the selector of a scalable object. */
export function scaleStatusErrors(object: JsonObject, scale: JsonObject | undefined): FieldError[] {
  if (!scale) return [];
  const errors = replicaErrors(object, text(scale, "statusReplicasPath"));
  const path = text(scale, "labelSelectorPath");
  if (path === "") return errors;
  const segments = pathSegments(path);
  const found = valueAt(object, segments);
  if ("why" in found) errors.push(invalid(path, "", found.why));
  else if (found.value !== undefined && typeof found.value !== "string") {
    errors.push(invalid(path, "", mismatch(found.value, segments, "string")));
  }
  return errors;
}
