import type { CelDuration, CelTimestamp } from "./time.ts";

/**
 * A value of an expression. Where JavaScript has a fitting primitive it is used: `bigint` is a CEL int (int64), `number`
 * a double, `Uint8Array` bytes. All others are objects told apart by `kind`.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelOptional
  | CelTypeName
  | CelOpaque;

/** An unsigned 64-bit integer. */
export class CelUint {
  readonly kind = "uint";
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A list, which may read its items from JSON as they are asked for. */
export interface CelList extends Iterable<CelValue> {
  readonly kind: "list";
  readonly size: number;
  /** The item at an index that is known to be in range. */
  at(index: number): CelValue;
  /** Set where `==` is not item by item: set and map lists ignore order. */
  equals?(other: CelList): boolean;
  /** Set where `+` is not concatenation: set and map lists merge. */
  merge?(other: CelList): CelList;
}

/** A map or an object. */
export interface CelMap {
  readonly kind: "map";
  readonly size: number;
  get(key: CelValue): CelValue | undefined;
  keys(): Iterable<CelValue>;
  /** Set where `==` must look at more than the visible entries. */
  equals?(other: CelMap): boolean;
}

/** A value that may be missing: `optional.none()` is the one without a value. */
export class CelOptional {
  readonly kind = "optional";
  readonly value: CelValue | undefined;
  static readonly none: CelOptional = new CelOptional(undefined);
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value, as in `type(x) == int`. */
export class CelTypeName {
  readonly kind = "type";
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library type: a quantity, an address, an authorizer. */
export interface CelOpaque {
  readonly kind: "opaque";
  readonly typeName: string;
  equals(other: CelOpaque): boolean;
}

/** A runtime error of an expression. Logical operators may absorb it. */
export class CelError extends Error {
  override readonly name = "CelError";
}

export function noSuchOverload(): CelError {
  return new CelError("no such overload");
}

/** The name of a value's type, as `type(x)` gives it. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, boolean | bigint | number | string>): string {
  if (value === null) return "null_type";
  if (value instanceof Uint8Array) return "bytes";
  switch (value.kind) {
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "optional":
      return "optional_type";
    case "opaque":
      return value.typeName;
    default:
      return value.kind;
  }
}

/** Whether a value is a list. */
export function isList(value: CelValue): value is CelList {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) && value.kind === "list";
}

/** Whether a value is a map or an object. */
export function isMap(value: CelValue): value is CelMap {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) && value.kind === "map";
}

/** The `kind` of an object value; undefined for primitives and bytes. */
export function kindOf(value: CelValue): string | undefined {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) ? value.kind : undefined;
}
