import type { FieldType, ListType, ObjectType, ScalarType, TypeNode } from "../../type-node.ts";

/** Small types for tests, written as one would a schema. */
export const string: ScalarType = { kind: "scalar", scalar: "string" };
export const integer: ScalarType = { kind: "scalar", scalar: "integer" };

export function struct(
  fields: Record<string, TypeNode | FieldType>,
  mode: ObjectType["mode"] = "granular",
): ObjectType {
  const table = new Map(
    Object.entries(fields).map(([name, field]) => [
      name,
      "required" in field ? field : { type: field, required: false },
    ]),
  );
  return {
    kind: "object",
    mode,
    field: (name) => table.get(name),
    fieldNames: () => table.keys(),
    elements: undefined,
    preserveUnknown: false,
  };
}

export function map(elements: TypeNode): ObjectType {
  return { ...struct({}), elements };
}

export function listMap(keys: readonly string[], element: TypeNode): ListType {
  return { kind: "list", mode: "map", keys, element };
}

export function list(mode: "set" | "atomic", element: TypeNode): ListType {
  return { kind: "list", mode, keys: [], element };
}

/** A kind with one of each way to merge. */
export const widget: ObjectType = struct({
  apiVersion: string,
  kind: string,
  metadata: struct({
    name: string,
    namespace: string,
    labels: map(string),
    annotations: map(string),
    finalizers: list("set", string),
  }),
  spec: struct({
    size: integer,
    color: string,
    tags: list("set", string),
    ports: listMap(["name"], struct({ name: string, port: integer })),
    pairs: listMap(
      ["port", "protocol"],
      struct({ port: integer, protocol: { type: string, required: false, default: "TCP" }, name: string }),
    ),
    args: list("atomic", string),
    whole: struct({ a: string, b: string }, "atomic"),
    nested: struct({ a: string, b: string }),
    free: { kind: "any" },
  }),
  status: struct({ phase: string }),
});
