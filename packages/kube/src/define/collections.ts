import { deepClone } from "../json/clone.ts";
import { setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { schemaJson } from "./describe.ts";
import type { Described } from "./describe.ts";
import { DefinitionError } from "./definition-error.ts";
import { schemaOf } from "./schema.ts";
import type { Fields, PresenceWith, ReadFields, Schema, WrittenFields } from "./schema.ts";

export interface ArrayOptions<Item, D> extends Described {
  readonly minItems?: number;
  /** Rules inside the items need it to be known cheap. */
  readonly maxItems?: number;
  /** How several writers share the list. Default: one of them owns it whole (`atomic`). */
  readonly listType?: "atomic" | "set" | "map";
  /** The fields that tell items of a `map` list apart: scalars that are always there. */
  readonly listMapKeys?: readonly (keyof Item & string)[];
  readonly default?: D;
}

/** A list. */
export function array<R, W, const D extends readonly NoInfer<W>[] | undefined = undefined>(
  items: Schema<R, W, "always">,
  options: ArrayOptions<R, D> = {},
): Schema<R[], W[], PresenceWith<D>> {
  const { listType, listMapKeys, minItems, maxItems } = options;
  if ((listType === "map") !== (listMapKeys !== undefined && listMapKeys.length > 0)) {
    throw new DefinitionError("array", ['listMapKeys and listType "map" go together']);
  }
  return schemaOf(
    schemaJson("array", options, {
      type: "array",
      items: items.json,
      minItems,
      maxItems,
      "x-kubernetes-list-type": listType,
      "x-kubernetes-list-map-keys": listMapKeys && [...listMapKeys],
      default: copied(options.default),
    }),
  );
}

export interface MapOptions<D> extends Described {
  readonly minProperties?: number;
  /** Rules inside the values need it to be known cheap. */
  readonly maxProperties?: number;
  readonly mapType?: "atomic" | "granular";
  readonly default?: D;
}

/** Values under keys that users choose. */
export function map<R, W, const D extends Readonly<Record<string, NoInfer<W>>> | undefined = undefined>(
  values: Schema<R, W, "always">,
  options: MapOptions<D> = {},
): Schema<Record<string, R>, Record<string, W>, PresenceWith<D>> {
  const { minProperties, maxProperties, mapType } = options;
  return schemaOf(
    schemaJson("map", options, {
      type: "object",
      additionalProperties: values.json,
      minProperties,
      maxProperties,
      "x-kubernetes-map-type": mapType,
      default: copied(options.default),
    }),
  );
}

export interface ObjectOptions<D> extends Described {
  /** `atomic`: one writer owns the object whole. Default: each field has its own owner. */
  readonly mapType?: "atomic" | "granular";
  /** Keep fields that the schema does not name, instead of dropping them. */
  readonly preserveUnknown?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Constraints on the fields of which exactly one must hold, as schemas without types. Where CEL can say it, a rule tells users more. */
  readonly oneOf?: readonly JsonObject[];
  /** `{}` lets the defaults of its fields apply when the object is left out. */
  readonly default?: D;
}

/** An object with these fields. Those without default that are not `.optional()` must be written. */
export function object<F extends Fields, const D extends WrittenFields<NoInfer<F>> | undefined = undefined>(
  fields: F,
  options: ObjectOptions<D> = {},
): Schema<ReadFields<F>, WrittenFields<F>, PresenceWith<D>> {
  const properties: JsonObject = {};
  for (const [name, field] of Object.entries(fields)) setOwn(properties, name, field.json);
  const required = Object.keys(fields).filter((name) => fields[name]!.presence === "always");
  return schemaOf(
    schemaJson("object", options, {
      type: "object",
      properties,
      required: required.length > 0 ? required : undefined,
      minProperties: options.minProperties,
      maxProperties: options.maxProperties,
      oneOf: copied(options.oneOf),
      "x-kubernetes-map-type": options.mapType,
      "x-kubernetes-preserve-unknown-fields": options.preserveUnknown === true ? true : undefined,
      default: copied(options.default),
    }),
  );
}

/** Any JSON value, kept as it is. Nothing below it is checked. */
export function any(options: Described = {}): Schema<Json, Json, "always"> {
  return schemaOf(schemaJson("any", options, { "x-kubernetes-preserve-unknown-fields": true }));
}

/** Any JSON object, kept as it is. */
export function anyObject(options: Described = {}): Schema<JsonObject, JsonObject, "always"> {
  return schemaOf(schemaJson("anyObject", options, { type: "object", "x-kubernetes-preserve-unknown-fields": true }));
}

function copied(value: unknown): Json | undefined {
  return value === undefined ? undefined : deepClone(value as Json);
}
