import { anyType } from "../type-node.ts";
import type { ObjectType, TypeNode } from "../type-node.ts";
import { isObject } from "../json/json.ts";
import type { Json } from "../json/json.ts";

/** How a value is merged: field by field, item by item, or as one. */
export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "object"; readonly type: ObjectType }
  | { readonly kind: "list"; readonly type: TypeNode & { readonly kind: "list" } };

const leafShape: Shape = { kind: "leaf" };

/** Free-form objects merge key by key; free-form lists are replaced. */
const freeObject: ObjectType = {
  kind: "object",
  mode: "granular",
  field: () => undefined,
  fieldNames: () => [],
  elements: anyType,
  preserveUnknown: true,
};
const freeShape: Shape = { kind: "object", type: freeObject };

/** The shape of a value by its type, or by itself where the type is free-form. null has the shape of an object there. */
export function shapeOf(type: TypeNode, value: Json | undefined): Shape {
  switch (type.kind) {
    case "any":
      return value === null || isObject(value) ? freeShape : leafShape;
    case "scalar":
      return leafShape;
    case "list":
      return type.mode === "atomic" ? leafShape : { kind: "list", type };
    case "object":
      return type.mode === "atomic" ? leafShape : { kind: "object", type };
  }
}

/** The type below a key, whether the key is a declared field or an element. Free-form where nothing is known. */
export function childType(type: ObjectType, key: string): TypeNode {
  return type.field(key)?.type ?? type.elements ?? anyType;
}
