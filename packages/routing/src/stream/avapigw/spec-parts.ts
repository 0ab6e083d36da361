import type { Json, JsonObject } from "@gatewright/kube";
import { getOwn, isObject } from "@gatewright/kube";

/** Something about a field of a spec. */
export interface FieldRemark {
  /** Whether the object is held back for it. */
  readonly refused: boolean;
  /** `spec.tls`. */
  readonly field: string;
  readonly message: string;
}

/** A block of a spec, if it is there. */
export function block(spec: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  let at: Json | undefined = spec;
  for (const key of path) at = isObject(at) ? getOwn(at, key) : undefined;
  return isObject(at) ? at : undefined;
}

/** A block that is there and switched on. */
export function enabledBlock(spec: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const found = block(spec, ...path);
  return found?.["enabled"] === true ? found : undefined;
}

/** The objects of a list. */
export function items(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function isFilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return false;
  return Array.isArray(value) ? value.length > 0 : !isObject(value) || Object.keys(value).length > 0;
}
