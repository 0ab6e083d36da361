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
  const choices = choicesOf("string", options.enum);
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

export interface IntegerOptions<E extends number, D> extends NumberOptions<D> {
  readonly format?: "int32" | "int64";
  /** The only values, which become the TypeScript type. */
  readonly enum?: readonly E[];
}

/** A whole number. Beyond 2^53 JavaScript loses digits: bound it, or use a text. */
export function integer<const E extends number = number, const D extends NoInfer<E> | undefined = undefined>(
  options: IntegerOptions<E, D> = {},
): Schema<E, E, PresenceWith<D>> {
  const { format } = options;
  const choices = choicesOf("integer", options.enum);
  return schemaOf(schemaJson("integer", options, { type: "integer", format, enum: choices, ...range(options) }));
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

function choicesOf<E extends string | number>(subject: string, values: readonly E[] | undefined): E[] | undefined {
  if (values && new Set(values).size !== values.length) {
    throw new DefinitionError(subject, ["enum lists a value twice"]);
  }
  if (values?.length === 0) throw new DefinitionError(subject, ["enum is empty: no value could be valid"]);
  return values && [...values];
}

function range(options: NumberOptions<number | undefined>): Record<string, number | boolean | undefined> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = options;
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, default: options.default };
}
