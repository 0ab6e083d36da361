import { anyType } from "../type-node.ts";
import type { FieldType, ListType, ObjectType, ScalarType, TypeNode } from "../type-node.ts";
import { schemaDefault } from "./schema-default.ts";
import { definitionOfKind, tableDefinition } from "./table.ts";
import type { TableDefinition, TableField } from "./table.ts";

/** A built-in struct as merging and decoding see it. One value for each definition: compare by identity. */
export interface BuiltinType extends ObjectType {
  /** The short name of its definition in the table. */
  readonly definition: string;
}

/** The type of a built-in kind, or undefined where the kind is not built in. */
export function builtinType(group: string, version: string, kind: string): BuiltinType | undefined {
  const name = definitionOfKind(group, version, kind);
  return name === undefined ? undefined : typeOfDefinition(name);
}

const types = new Map<string, BuiltinType>();

/** The type of a definition by its short name, such as `meta.v1.DeleteOptions`. It must be in the table. */
export function typeOfDefinition(name: string): BuiltinType {
  const known = types.get(name);
  if (known) return known;
  const definition = tableDefinition(name);
  if (!definition) throw new Error(`no built-in definition ${name}`);
  const made = struct(name, definition);
  types.set(name, made);
  return made;
}

function struct(name: string, definition: TableDefinition): BuiltinType {
  const fields = new Map<string, FieldType>();
  return {
    kind: "object",
    definition: name,
    mode: definition.map === "atomic" ? "atomic" : "granular",
    elements: undefined,
    preserveUnknown: false,
    field(key) {
      const known = fields.get(key);
      if (known) return known;
      const field = Object.hasOwn(definition.fields, key) ? definition.fields[key] : undefined;
      if (!field) return undefined;
      const made = fieldType(field);
      fields.set(key, made);
      return made;
    },
    fieldNames: () => Object.keys(definition.fields),
  };
}

function fieldType(field: TableField): FieldType {
  const value = field.t.includes(".") ? undefined : schemaDefault(field);
  return {
    type: typeOf(field.t, field),
    required: field.r === 1,
    ...(value !== undefined && { default: value }),
    ...(field.s !== undefined && { patchStrategy: field.s.split(",") as ("merge" | "replace" | "retainKeys")[] }),
    ...(field.mk !== undefined && { patchMergeKey: field.mk }),
  };
}

function typeOf(expression: string, field?: TableField): TypeNode {
  if (expression.startsWith("[]") || expression.startsWith("~")) {
    const mode = field?.l === "set" || field?.l === "map" ? field.l : "atomic";
    const element = typeOf(expression.slice(expression.startsWith("~") ? 1 : 2));
    return { kind: "list", mode, keys: field?.k ?? [], element } satisfies ListType;
  }
  if (expression.startsWith("{}")) {
    const mode = field?.m === "atomic" ? "atomic" : "granular";
    const elements = typeOf(expression.slice(2));
    return { kind: "object", mode, elements, preserveUnknown: false, field: () => undefined, fieldNames: () => [] };
  }
  if (expression.includes(".")) {
    const type = typeOfDefinition(expression);
    return field?.m === "atomic" && type.mode !== "atomic" ? { ...type, mode: "atomic" } : type;
  }
  return scalars[expression] ?? anyType;
}

function scalar(name: ScalarType["scalar"], format?: string): ScalarType {
  return { kind: "scalar", scalar: name, ...(format !== undefined && { format }) };
}

const scalars: Readonly<Record<string, ScalarType>> = {
  string: scalar("string"),
  bool: scalar("boolean"),
  int32: scalar("integer", "int32"),
  int64: scalar("integer", "int64"),
  float64: scalar("number", "double"),
  bytes: scalar("string", "byte"),
  quantity: scalar("quantity"),
  "int-or-string": scalar("int-or-string"),
  time: scalar("string", "date-time"),
  "micro-time": scalar("string", "micro-time"),
};
