import { notSupported } from "@gatewright/kube";
import type { FieldError, FieldPath } from "@gatewright/kube";

/** A text that must be one of some. */
export function choiceErrors(value: string, choices: readonly string[], path: FieldPath): FieldError[] {
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

/** A text that must be one of some, or empty. */
export function optionalChoiceErrors(value: string, choices: readonly string[], path: FieldPath): FieldError[] {
  return value === "" ? [] : choiceErrors(value, choices, path);
}
