/**
 * The static types of CEL as Kubernetes uses them. Types are compared by structure; objects and opaque types by name.
 * Object types look their fields up on demand, so a schema may be recursive.
 */
export type CelType = (SimpleType | ListType | MapType | ObjectType | OpaqueType | TypeOfType | TypeParameter) &
  Bounded;

/** What a schema promises about the size of a value: used to estimate the cost of an expression before it runs. */
interface Bounded {
  readonly bounds?: SizeBounds;
}

export interface SizeBounds {
  /** The most characters, bytes, items or entries that a value can have. */
  readonly maxSize: number;
  /** The fewest bytes that the value takes as JSON. */
  readonly minJsonSize: number;
}

export interface SimpleType {
  readonly kind:
    | "dyn"
    | "null"
    | "bool"
    | "int"
    | "uint"
    | "double"
    | "string"
    | "bytes"
    | "timestamp"
    | "duration"
    | "error";
}

export interface ListType {
  readonly kind: "list";
  readonly element: CelType;
  /** Sets and map lists compare without order, and `+` merges them. Lists without this are plain. */
  readonly merge?: ListMerge;
}

export type ListMerge = { readonly by: "value" } | { readonly by: "keys"; readonly keys: readonly string[] };

export interface MapType {
  readonly kind: "map";
  readonly key: CelType;
  readonly value: CelType;
}

export interface ObjectType {
  readonly kind: "object";
  readonly name: string;
  /** The type of a field by its CEL name (escaped, see escape.ts), or undefined when there is no such field. */
  field(name: string): CelType | undefined;
}

/** A type known by name only, such as `net.IP` or `optional_type(T)`. */
export interface OpaqueType {
  readonly kind: "opaque";
  readonly name: string;
  readonly params: readonly CelType[];
}

export interface TypeOfType {
  readonly kind: "type";
  readonly of?: CelType;
}

export interface TypeParameter {
  readonly kind: "param";
  readonly name: string;
}

export const dynType: CelType = { kind: "dyn" };
export const nullType: CelType = { kind: "null" };
export const boolType: CelType = { kind: "bool" };
export const intType: CelType = { kind: "int" };
export const uintType: CelType = { kind: "uint" };
export const doubleType: CelType = { kind: "double" };
export const stringType: CelType = { kind: "string" };
export const bytesType: CelType = { kind: "bytes" };
export const timestampType: CelType = { kind: "timestamp" };
export const durationType: CelType = { kind: "duration" };
export const errorType: CelType = { kind: "error" };

export function listType(element: CelType): CelType {
  return { kind: "list", element };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: "map", key, value };
}

export function opaqueType(name: string, ...params: readonly CelType[]): CelType {
  return { kind: "opaque", name, params };
}

export function optionalType(of: CelType): CelType {
  return opaqueType("optional_type", of);
}

/** An object type from a fixed set of fields. */
export function objectType(name: string, fields: ReadonlyMap<string, CelType>): CelType {
  return { kind: "object", name, field: (field) => fields.get(field) };
}

/** What an optional holds, or undefined for any other type. */
export function optionalOf(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.params[0] : undefined;
}

/** The parts a type is made of, in the order that messages show them. */
export function typeArguments(type: CelType): readonly CelType[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "opaque":
      return type.params;
    case "type":
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** A type as compile errors show it, such as `map(string, list(int))`. */
export function formatType(type: CelType): string {
  const name = type.kind === "error" ? "!error!" : "name" in type ? type.name : type.kind;
  const args = typeArguments(type);
  return args.length === 0 ? name : `${name}(${args.map(formatType).join(", ")})`;
}

/** Whether two types are the same, part by part. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if ("name" in a && "name" in b && a.name !== b.name) return false;
  const left = typeArguments(a);
  const right = typeArguments(b);
  return left.length === right.length && left.every((type, i) => sameType(type, right[i]!));
}
