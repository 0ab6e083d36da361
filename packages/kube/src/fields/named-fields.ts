import type { TypeNode } from "../type-node.ts";
import type { FieldNode, FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** The set with every declared field in it that has something below it: whoever owns a part holds the struct around it. */
export function withNamedFields(set: FieldSet, type: TypeNode | undefined): FieldSet {
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    if (node.below.size === 0) {
      result.set(element, node);
      continue;
    }
    const field = type?.kind === "object" && element.startsWith("f:") ? type.field(element.slice(2)) : undefined;
    const below = withNamedFields(node.below, field?.type ?? typeBelow(type, element));
    result.set(element, { owned: node.owned || field !== undefined, below });
  }
  return result;
}

function typeBelow(type: TypeNode | undefined, element: PathElement): TypeNode | undefined {
  if (type?.kind === "object") return type.elements;
  return type?.kind === "list" && element.startsWith("k:") ? type.element : undefined;
}
