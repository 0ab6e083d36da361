import { typeOfDefinition } from "../builtin/index.ts";
import { anyType } from "../type-node.ts";
import type { FieldType, ObjectType, ScalarType, TypeNode } from "../type-node.ts";
import type { SchemaNode } from "./schema-node.ts";

const text: FieldType = { type: { kind: "scalar", scalar: "string" }, required: false };

/** What every resource has, whether its schema says so or not. */
const META: ReadonlyMap<string, () => FieldType> = new Map([
  ["apiVersion", () => text],
  ["kind", () => text],
  ["metadata", () => ({ type: typeOfDefinition("meta.v1.ObjectMeta"), required: false })],
]);

/** A custom resource as merging and field ownership see it. */
export function resourceType(schema: SchemaNode): ObjectType {
  return objectType(schema, true);
}

function typeOf(node: SchemaNode): TypeNode {
  if (node.intOrString) return { kind: "scalar", scalar: "int-or-string" };
  switch (node.type) {
    case "object":
      return node.embedded || node.properties || node.additional !== undefined || !node.preserveUnknown
        ? objectType(node, node.embedded)
        : node.mapType === "atomic"
          ? objectType(node, false)
          : anyType;
    case "array":
      return {
        kind: "list",
        mode: node.listType === "set" || node.listType === "map" ? node.listType : "atomic",
        keys: node.listMapKeys,
        element: node.items ? typeOf(node.items) : anyType,
      };
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return scalarType(node.type, node.format);
    default:
      return node.properties ? objectType(node, node.embedded) : anyType;
  }
}

function scalarType(scalar: "string" | "integer" | "number" | "boolean", format: string): ScalarType {
  return format === "" ? { kind: "scalar", scalar } : { kind: "scalar", scalar, format };
}

function objectType(node: SchemaNode, resource: boolean): ObjectType {
  const known = new Map<string, FieldType>();
  const make = (name: string): FieldType | undefined => {
    const meta = resource ? META.get(name) : undefined;
    if (meta) return meta();
    const property = node.properties?.get(name);
    if (!property) return undefined;
    return {
      type: typeOf(property),
      required: node.required.includes(name),
      ...(property.default !== undefined && { default: property.default }),
    };
  };
  return {
    kind: "object",
    mode: node.mapType === "atomic" ? "atomic" : "granular",
    field(name) {
      let field = known.get(name);
      if (!field) {
        field = make(name);
        if (field) known.set(name, field);
      }
      return field;
    },
    fieldNames: () => new Set([...(resource ? META.keys() : []), ...(node.properties?.keys() ?? [])]),
    elements:
      typeof node.additional === "object" ? typeOf(node.additional) : node.additional === true ? anyType : undefined,
    preserveUnknown: node.preserveUnknown,
  };
}
