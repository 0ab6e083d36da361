import { at, child, invalid, key as keyed, required } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { parseGroupVersion } from "../group-version.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { isDNS1035Label } from "../names.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Judges the ObjectMeta of an embedded resource; given by those who know the rules of metadata. */
export type MetadataCheck = (metadata: JsonObject, path: FieldPath) => readonly FieldError[];

/** What is wrong with `x-kubernetes-embedded-resource` values: their apiVersion, kind and metadata. */
export function validateEmbeddedResources(value: Json, schema: SchemaNode, metadata: MetadataCheck): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.holds.embedded) walk(value, schema, "", metadata, errors);
  return errors;
}

function walk(value: Json, node: SchemaNode, path: FieldPath, metadata: MetadataCheck, errors: FieldError[]): void {
  if (!node.holds.embedded) return;
  if (Array.isArray(value)) {
    if (node.items) for (const [i, item] of value.entries()) walk(item, node.items, at(path, i), metadata, errors);
    return;
  }
  if (!isObject(value)) return;
  if (node.embedded) checkResource(value, path, metadata, errors);
  for (const name of Object.keys(value)) {
    const property = node.properties?.get(name);
    if (property) walk(value[name]!, property, child(path, name), metadata, errors);
    else if (typeof node.additional === "object")
      walk(value[name]!, node.additional, keyed(path, name), metadata, errors);
  }
}

function checkResource(object: JsonObject, path: FieldPath, metadata: MetadataCheck, errors: FieldError[]): void {
  const [apiVersion, kind, meta] = [getOwn(object, "apiVersion"), getOwn(object, "kind"), getOwn(object, "metadata")];
  if (apiVersion === undefined) errors.push(required(child(path, "apiVersion")));
  else errors.push(...apiVersionErrors(apiVersion, child(path, "apiVersion")));
  if (kind === undefined) errors.push(required(child(path, "kind")));
  else errors.push(...kindErrors(kind, child(path, "kind")));
  if (isObject(meta)) errors.push(...metadata(meta, child(path, "metadata")));
}

function apiVersionErrors(value: Json, path: FieldPath): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  if (parseGroupVersion(value) === undefined) return [invalid(path, value, `unexpected GroupVersion string: ${value}`)];
  return [];
}

function kindErrors(value: Json, path: FieldPath): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const wrong = isDNS1035Label(value.toLowerCase());
  if (wrong.length === 0) return [];
  return [invalid(path, value, `may have mixed case, but should otherwise match: ${wrong.join(",")}`)];
}
