import { schemaJson } from "./describe.ts";
import type { Described } from "./describe.ts";
import { schemaOf } from "./schema.ts";
import type { PresenceWith, Schema } from "./schema.ts";

const AMOUNT = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;
const GO_DURATION = String.raw`^([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+$`;

export interface DefaultedOptions<D> extends Described {
  readonly default?: D;
}

/** A number or a text. `pattern` binds texts only. */
export function intOrString<D extends number | string | undefined = undefined>(
  options: DefaultedOptions<D> & { readonly pattern?: string; readonly maxLength?: number } = {},
): Schema<number | string, number | string, PresenceWith<D>> {
  return schemaOf(
    schemaJson("intOrString", options, {
      anyOf: [{ type: "integer" }, { type: "string" }],
      "x-kubernetes-int-or-string": true,
      maxLength: options.maxLength,
      pattern: options.pattern,
      default: options.default,
    }),
  );
}

/** An amount such as `500m` or `1Gi`, or a plain number. As users wrote it: servers do not normalise custom resources. */
export function quantity<D extends number | string | undefined = undefined>(
  options: DefaultedOptions<D> = {},
): Schema<number | string, number | string, PresenceWith<D>> {
  return intOrString({ ...options, pattern: AMOUNT, maxLength: 64 });
}

/** A duration as Go writes it: `90s`, `1h30m`. Rules see a CEL duration. */
export function duration<D extends string | undefined = undefined>(
  options: DefaultedOptions<D> = {},
): Schema<string, string, PresenceWith<D>> {
  return schemaOf(
    schemaJson("duration", options, {
      type: "string",
      format: "duration",
      maxLength: 64,
      pattern: GO_DURATION,
      default: options.default,
    }),
  );
}

/** A moment as RFC 3339 text. Rules see a CEL timestamp. */
export function time(options: Described = {}): Schema<string, string, "always"> {
  return schemaOf(schemaJson("time", options, { type: "string", format: "date-time" }));
}
