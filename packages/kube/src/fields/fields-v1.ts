import { isObject, setOwn } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { emptySet, leaf, sortedElements } from "./field-set.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import { parseElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

const decoded = new WeakMap<JsonObject, FieldSet>();
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Reads a `fieldsV1`. Undefined when it is not one. Answers are remembered by identity, so the object must not change
 * afterwards. `written` says that it was written by {@link encodeFieldsV1} and can stand for the set again as it is.
 */
export function decodeFieldsV1(fields: JsonObject, written = false): FieldSet | undefined {
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const set = decodeLevel(fields);
  if (set === undefined) return undefined;
  decoded.set(fields, set);
  if (written && set !== emptySet) encoded.set(set, fields);
  return set;
}

function decodeLevel(fields: JsonObject): FieldSet | undefined {
  const set = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(fields)) {
    if (key === ".") continue;
    const element = parseElement(key);
    const value = fields[key]!;
    if (element === undefined || !isObject(value)) return undefined;
    const below = decodeLevel(value);
    if (below === undefined) return undefined;
    if (below.size === 0) set.set(element, leaf);
    else set.set(element, { owned: Object.hasOwn(value, "."), below });
  }
  return set.size === 0 ? emptySet : set;
}

/** Writes a set as `fieldsV1`, in the order of kube-apiserver. The result is shared: treat it as frozen. */
export function encodeFieldsV1(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known !== undefined) return known;
  const fields = encodeLevel(set, false);
  encoded.set(set, fields);
  decoded.set(fields, set);
  return fields;
}

function encodeLevel(set: FieldSet, owned: boolean): JsonObject {
  const fields: JsonObject = {};
  if (owned && set.size > 0) fields["."] = {};
  for (const element of sortedElements(set)) {
    const node = set.get(element)!;
    setOwn(fields, element, encodeLevel(node.below, node.owned));
  }
  return fields;
}
