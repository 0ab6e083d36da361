import { DefinitionError } from "./definition-error.ts";
import { schemaJson } from "./describe.ts";
import type { Described } from "./describe.ts";
import { schemaOf } from "./schema.ts";
import type { PresenceWith, Schema } from "./schema.ts";

/** Formats of texts that API servers check. Others would be ignored, so they cannot be said. */
export type StringFormat =
  | ("byte" | "cidr" | "date" | "date-time" | "duration" | "email" | "hostname" | "ipv4" | "ipv6" | "mac" | "password")
  | ("uri" | "uuid" | "uuid3" | "uuid4" | "uuid5" | "k8s-short-name" | "k8s-long-name");

export interface StringOptions<E extends string, D> extends Described {
  readonly minLength?: number;
  /** In characters. Rules over the text need it to be known cheap. */
  readonly maxLength?: number;
  /** RE2 syntax; not anchored by itself. */
  readonly pattern?: string;
  readonly format?: StringFormat;
  /** The only values, which become the TypeScript type. */
  readonly enum?: readonly E[];
  readonly default?: D;
}

/** A text. */
export function string<const E extends string = string, const D extends NoInfer<E> | undefined = undefined>(
  options: StringOptions<E, D> = {},
): Schema<E, E, PresenceWith<D>> {
  const { minLength, maxLength, pattern, format } = options;
  const choices = options.enum && [...options.enum];
  if (choices && new Set<string>(choices).size !== choices.length) {
    throw new DefinitionError("string", ["enum lists a value twice"]);
  }
  if (choices?.length === 0) throw new DefinitionError("string", ["enum is empty: no value could be valid"]);
  return schemaOf(
    schemaJson("string", options, {
      type: "string",
      format,
      enum: choices,
      minLength,
      maxLength,
      pattern,
      default: options.default,
    }),
  );
}

export interface NumberOptions<D> extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly default?: D;
}

export interface IntegerOptions<D> extends NumberOptions<D> {
  readonly format?: "int32" | "int64";
}

/** A whole number. Beyond 2^53 JavaScript loses digits: bound it, or use a text. */
export function integer<D extends number | undefined = undefined>(
  options: IntegerOptions<D> = {},
): Schema<number, number, PresenceWith<D>> {
  return schemaOf(schemaJson("integer", options, { type: "integer", format: options.format, ...range(options) }));
}

/** A number with a fraction. Prefer integers and quantities: fractions do not compare well. */
export function number<D extends number | undefined = undefined>(
  options: NumberOptions<D> = {},
): Schema<number, number, PresenceWith<D>> {
  return schemaOf(schemaJson("number", options, { type: "number", ...range(options) }));
}

export interface BooleanOptions<D> extends Described {
  readonly default?: D;
}

/** True or false. */
export function boolean<D extends boolean | undefined = undefined>(
  options: BooleanOptions<D> = {},
): Schema<boolean, boolean, PresenceWith<D>> {
  return schemaOf(schemaJson("boolean", options, { type: "boolean", default: options.default }));
}

function range(options: NumberOptions<number | undefined>): Record<string, number | boolean | undefined> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = options;
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, default: options.default };
}
