import { anyType } from "../type-node.ts";
import type { ObjectType, TypeNode } from "../type-node.ts";
import { leaf } from "./field-set.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Brings a set that was recorded under an older schema up to date: ownership of parts of what has become atomic turns into
 * ownership of the whole. Returns the same set where nothing changes, which is nearly always.
 */
export function adaptToSchema(set: FieldSet, type: ObjectType): FieldSet {
  return adaptLevel(set, type);
}

function adaptLevel(set: FieldSet, type: TypeNode): FieldSet {
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (node.below.size === 0) continue;
    const adapted = adaptNode(node, typeBelow(type, element));
    if (adapted === node) continue;
    result ??= new Map(set);
    result.set(element, adapted);
  }
  return result ?? set;
}

function adaptNode(node: FieldNode, type: TypeNode): FieldNode {
  if (type.kind === "any" || type.kind === "scalar") return node;
  if (type.mode === "atomic") return leaf;
  const below = adaptLevel(node.below, type);
  return below === node.below ? node : { owned: node.owned, below };
}

function typeBelow(type: TypeNode, element: PathElement): TypeNode {
  if (type.kind === "list") return type.element;
  if (type.kind !== "object" || !element.startsWith("f:")) return anyType;
  return type.field(element.slice(2))?.type ?? type.elements ?? anyType;
}
