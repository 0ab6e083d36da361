import type { Json } from "./json/json.ts";
import { escapeCharacter, quote } from "./quote.ts";

/** Where a value stands in an object: `spec.ports[0].name`. The root is the empty path and prints as `<nil>`. */
export type FieldPath = string;

/** The object itself. */
export const root: FieldPath = "";
/** A field below a path, or a field of a field: `spec.ports`. */
export function child(path: FieldPath, ...names: readonly string[]): FieldPath {
  return names.reduce((at, name) => (at === "" ? name : `${at}.${name}`), path);
}
/** An item of a list: `spec.ports[0]`. */
export function at(path: FieldPath, index: number): FieldPath {
  return `${path}[${index}]`;
}
/** An entry of a map: `metadata.labels[app]`. */
export function key(path: FieldPath, name: string): FieldPath {
  return `${path}[${name}]`;
}

/** The kinds of validation errors, with the text that each begins with. */
const TEXT = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooShort: "Too short",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
} as const;

export type FieldErrorReason = keyof typeof TEXT;

/** One validation error, ready to be a cause of a 422 Status. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: FieldPath;
  /** The text after the field: `Invalid value: "x": must be shorter`. */
  readonly body: string;
}

function shown(value: Json): string {
  if (typeof value === "string") return quote(value);
  // Go's encoder keeps HTML out of JSON.
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escapeCharacter);
}

function error(reason: FieldErrorReason, field: FieldPath, detail: string, value?: Json): FieldError {
  let body: string = TEXT[reason];
  if (value !== undefined) body += `: ${shown(value)}`;
  if (detail !== "") body += `: ${detail}`;
  return { reason, field: field === "" ? "<nil>" : field, body };
}

const units = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Nothing is there. */
export const required = (field: FieldPath, detail = ""): FieldError => error("FieldValueRequired", field, detail);
/** A value that breaks a rule, which `detail` tells. The value is shown. */
export const invalid = (field: FieldPath, value: Json, detail: string): FieldError =>
  error("FieldValueInvalid", field, detail, value);
/** Like {@link invalid}, but the value is not shown: it is large, or it is told in the detail. */
export const invalidOmitted = (field: FieldPath, detail: string): FieldError =>
  error("FieldValueInvalid", field, detail);
/** A value of the wrong type. */
export const typeInvalid = (field: FieldPath, value: Json, detail: string): FieldError =>
  error("FieldValueTypeInvalid", field, detail, value);
/** A value that is there already. */
export const duplicate = (field: FieldPath, value: Json): FieldError => error("FieldValueDuplicate", field, "", value);
/** A reference to what is not there. */
export const notFoundField = (field: FieldPath, value: Json): FieldError =>
  error("FieldValueNotFound", field, "", value);
/** A field that may not be set. Its value is not shown. */
export const forbiddenField = (field: FieldPath, detail: string): FieldError =>
  error("FieldValueForbidden", field, detail);
/** A value that is none of those that are known. */
export const notSupported = (field: FieldPath, value: Json, supported: readonly string[]): FieldError =>
  error(
    "FieldValueNotSupported",
    field,
    supported.length === 0 ? "" : `supported values: ${supported.map(quote).join(", ")}`,
    value,
  );
export const tooLong = (field: FieldPath, max: number): FieldError =>
  error("FieldValueTooLong", field, `may not be more than ${units(max, "byte", "bytes")}`);
export const tooMany = (field: FieldPath, actual: number, max: number): FieldError =>
  error("FieldValueTooMany", field, `must have at most ${units(max, "item", "items")}`, actual);
export const tooFew = (field: FieldPath, actual: number, min: number): FieldError =>
  error("FieldValueTooFew", field, `must have at least ${units(min, "item", "items")}`, actual);
/** A rule that could not be judged. */
export const internalField = (field: FieldPath, detail: string): FieldError => error("InternalError", field, detail);

/** `spec.replicas: Invalid value: -1: must be …` */
export function formatFieldError(e: FieldError): string {
  return `${e.field}: ${e.body}`;
}
