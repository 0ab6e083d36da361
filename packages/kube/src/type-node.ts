import type { Json } from "./json/json.ts";

/**
 * What merging, patching and strict decoding must know of a type. Built-in kinds give it from the generated table, custom
 * resources from their structural schema; the code that walks it does not know which.
 *
 * Types may be recursive, so children are looked up, not held.
 */
export type TypeNode = ScalarType | ObjectType | ListType | AnyType;

export interface ScalarType {
  readonly kind: "scalar";
  /** What the wire may carry. `quantity` and `int-or-string` take a number or a string. */
  readonly scalar: "string" | "integer" | "number" | "boolean" | "int-or-string" | "quantity";
  /** `int32`, `int64`, `byte`, `date-time`, `micro-time`, `double`: what a stricter reader checks. */
  readonly format?: string;
}

/** Free-form JSON: no schema is known below this point. Merged by deduction: objects by key, lists as a whole. */
export interface AnyType {
  readonly kind: "any";
}

export interface ObjectType {
  readonly kind: "object";
  /** `atomic` is owned and replaced as a whole. */
  readonly mode: "granular" | "atomic";
  /** Declared fields by name, or undefined where the field is not declared. Never holds map elements. */
  field(name: string): FieldType | undefined;
  /** Declared field names, in schema order. */
  fieldNames(): Iterable<string>;
  /** The type of values under undeclared keys: set for maps (`labels`), undefined for structs. */
  readonly elements: TypeNode | undefined;
  /** Undeclared keys are kept as they are (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknown: boolean;
}

export interface FieldType {
  readonly type: TypeNode;
  readonly required: boolean;
  readonly default?: Json;
  /** Strategic merge patch: how this field is merged, and by which key a list of objects is. */
  readonly patchStrategy?: readonly ("merge" | "replace" | "retainKeys")[];
  readonly patchMergeKey?: string;
}

export interface ListType {
  readonly kind: "list";
  readonly mode: "atomic" | "set" | "map";
  /** For `map`: the fields that name an item. Their defaults, if any, are in the element type's fields. */
  readonly keys: readonly string[];
  readonly element: TypeNode;
}

export const anyType: AnyType = { kind: "any" };
