import { invalid } from "@gatewright/kube";
import type { FieldError, FieldPath } from "@gatewright/kube";

/** A number that may not be below zero; a missing one is zero. */
export function nonNegativeErrors(value: number | undefined, path: FieldPath): FieldError[] {
  return value !== undefined && value < 0 ? [invalid(path, value, "must be greater than or equal to 0")] : [];
}

/** A number that must be above zero; a missing one is zero. */
export function positiveErrors(value: number | undefined, path: FieldPath): FieldError[] {
  return (value ?? 0) > 0 ? [] : [invalid(path, value ?? 0, "must be greater than zero")];
}
