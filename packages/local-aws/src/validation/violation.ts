/** How an input breaks the model of its operation. */
export interface Violation {
  /** Where, from the input down: names of members, and numbers of items from 1. */
  readonly path: readonly (string | number)[];
  /** What is there; undefined when that is nothing. */
  readonly value: unknown;
  readonly rule:
    | { readonly kind: "required" }
    | { readonly kind: "enum"; readonly values: readonly string[] }
    | { readonly kind: "length" | "value"; readonly min?: number; readonly max?: number };
}
