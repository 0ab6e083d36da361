import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ListType, ObjectType, TypeNode } from "../type-node.ts";
import { childType, shapeOf } from "./child-type.ts";
import { emptySet, leaf } from "./field-set.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import { itemNaming } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/**
 * The paths that a value says something about: leaves, items of lists, map entries, and nulls and empty objects. Fields of
 * structs are in it only through what is below them. Throws UnnamedItem for a list that has items without identity.
 */
export function fieldsOf(value: JsonObject, type: ObjectType): FieldSet {
  return objectFields(value, type);
}

function nodeOf(value: Json, type: TypeNode): FieldNode | undefined {
  const shape = shapeOf(type, value);
  if (shape.kind === "leaf") return leaf;
  if (shape.kind === "list")
    return Array.isArray(value) ? { owned: false, below: itemFields(value, shape.type) } : undefined;
  return isObject(value) ? { owned: false, below: objectFields(value, shape.type) } : undefined;
}

function objectFields(object: JsonObject, type: ObjectType): FieldSet {
  const set = new Map<PathElement, FieldNode>();
  for (const key in object) {
    const value = object[key]!;
    const declared = type.field(key) !== undefined;
    const node = nodeOf(value, childType(type, key));
    const owned = node?.owned === true || !declared || value === null || isEmptyObject(value);
    const below = node?.below ?? emptySet;
    if (owned || below.size > 0) set.set(fieldElement(key), below.size === 0 ? leaf : { owned, below });
  }
  return set;
}

function isEmptyObject(value: Json): boolean {
  if (!isObject(value)) return false;
  for (const _ in value) return false;
  return true;
}

/** Items that share an identity are owned as one: nobody can say which of them a path below would mean. */
function itemFields(items: readonly Json[], type: ListType): FieldSet {
  const nameOf = itemNaming(type);
  const set = new Map<PathElement, FieldNode>();
  for (const item of items) {
    const name = nameOf(item);
    set.set(name, set.has(name) ? leaf : { owned: true, below: nodeOf(item, type.element)?.below ?? emptySet });
  }
  return set;
}
