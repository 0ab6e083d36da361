import { deepClone } from "../json/clone.ts";
import { setOwn } from "../json/json.ts";
import type { Json } from "../json/json.ts";
import type { SchemaNode } from "./schema-node.ts";

const takesDefault = (value: Json | undefined, node: SchemaNode): value is null | undefined =>
  node.default !== undefined && (value === undefined || (value === null && !node.nullable));

/**
 * Sets the defaults of a schema, in place, parents before children. A null is replaced where null is not allowed. Parents
 * that are missing and have no default of their own are not made. Idempotent.
 */
export function applyDefaults(value: Json, node: SchemaNode): void {
  if (typeof value !== "object" || value === null || !node.holds.defaults) return;
  if (Array.isArray(value)) {
    const items = node.items;
    if (!items?.holds.defaults) return;
    for (let i = 0; i < value.length; i++) {
      if (takesDefault(value[i], items)) value[i] = deepClone(items.default!);
      applyDefaults(value[i]!, items);
    }
    return;
  }
  if (node.properties) {
    for (const [key, property] of node.properties) {
      if (!property.holds.defaults) continue;
      let field = Object.hasOwn(value, key) ? value[key] : undefined;
      if (takesDefault(field, property)) {
        field = deepClone(property.default!);
        setOwn(value, key, field);
      }
      if (field !== undefined) applyDefaults(field, property);
    }
  }
  const additional = node.additional;
  if (typeof additional !== "object" || !additional.holds.defaults) return;
  for (const key of Object.keys(value)) {
    if (node.properties?.has(key)) continue;
    if (takesDefault(value[key], additional)) setOwn(value, key, deepClone(additional.default!));
    applyDefaults(value[key]!, additional);
  }
}
