import { isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { ListType, ObjectType, TypeNode } from "../type-node.ts";
import { childType, shapeOf } from "./child-type.ts";
import type { FieldSet } from "./field-set.ts";
import { itemNaming } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";

/** The value without what the paths lead to. A container that loses all it had becomes null. Throws UnnamedItem. */
export function removeItems(value: JsonObject, paths: FieldSet, type: ObjectType): JsonObject {
  return paths.size === 0 ? value : (fromObject(value, paths, type) ?? {});
}

function fromValue(value: Json, paths: FieldSet, type: TypeNode): Json {
  const shape = shapeOf(type, value);
  if (shape.kind === "list") return Array.isArray(value) ? fromList(value, paths, shape.type) : null;
  if (shape.kind === "object") return isObject(value) ? fromObject(value, paths, shape.type) : null;
  return typeof value === "object" ? null : value;
}

function fromObject(object: JsonObject, paths: FieldSet, type: ObjectType): JsonObject | null {
  const result: JsonObject = {};
  let empty = true;
  for (const key in object) {
    const node = paths.get(fieldElement(key));
    if (node?.owned) continue;
    const value = object[key]!;
    setOwn(result, key, node === undefined ? value : fromValue(value, node.below, childType(type, key)));
    empty = false;
  }
  return empty ? null : result;
}

function fromList(list: readonly Json[], paths: FieldSet, type: ListType): Json[] | null {
  const nameOf = itemNaming(type);
  const result: Json[] = [];
  for (const item of list) {
    const node = paths.get(nameOf(item));
    if (!node?.owned) result.push(node === undefined ? item : fromValue(item, node.below, type.element));
  }
  return result.length === 0 ? null : result;
}
