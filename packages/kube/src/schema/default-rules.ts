import { child, invalid, invalidOmitted, key as keyed } from "../field-error.ts";
import type { FieldError, FieldPath } from "../field-error.ts";
import { deepClone } from "../json/clone.ts";
import type { Json } from "../json/json.ts";
import { validateEmbeddedResources } from "./embedded-resource.ts";
import { embeddedMetadata } from "./embedded-metadata.ts";
import { MetadataError } from "./object-meta.ts";
import { prunePart } from "./prune.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateValue } from "./validate.ts";

/** Judges a default by the CEL rules of its schema. */
export type DefaultRules = (value: Json, node: SchemaNode, path: FieldPath) => readonly FieldError[];

/** Which defaults do not fit their own schema. Defaults below additionalProperties are not judged. */
export function defaultErrors(node: SchemaNode, path: FieldPath, rules: DefaultRules): FieldError[] {
  if (!node.holds.defaults) return [];
  const errors: FieldError[] = [];
  if (node.default !== undefined) errors.push(...ownErrors(node.default, node, child(path, "default"), rules));
  if (node.items) errors.push(...defaultErrors(node.items, child(path, "items"), rules));
  for (const [name, property] of node.properties ?? []) {
    errors.push(...defaultErrors(property, keyed(child(path, "properties"), name), rules));
  }
  return errors;
}

function ownErrors(value: Json, node: SchemaNode, path: FieldPath, rules: DefaultRules): readonly FieldError[] {
  const errors: FieldError[] = [];
  try {
    if (prunePart(deepClone(value), node).length > 0) errors.push(invalid(path, value, "must not have unknown fields"));
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    return [invalidOmitted(path, error.message)];
  }
  const moved = (e: FieldError): FieldError => ({ ...e, field: e.field === "<nil>" ? path : `${path}.${e.field}` });
  const embedded = validateEmbeddedResources(value, node, embeddedMetadata).map(moved);
  if (embedded.length > 0) return [...errors, ...embedded];
  const wrong = validateValue(value, node, { prefix: path });
  return [...errors, ...(wrong.length > 0 ? wrong : rules(value, node, path))];
}
