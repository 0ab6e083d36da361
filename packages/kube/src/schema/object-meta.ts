import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/** Why metadata cannot be read, in the words that Go's decoder has for it. */
export class MetadataError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MetadataError";
  }
}

type Kind = "string" | "int64" | "bool" | "time" | "raw" | "strings" | "stringMap" | StructFields;
interface StructFields {
  readonly struct: string;
  readonly fields: ReadonlyMap<string, Kind>;
  /** Fields that are written even when empty. */
  readonly always: readonly string[];
}

const OWNER: StructFields = {
  struct: "OwnerReference",
  fields: new Map<string, Kind>([
    ["apiVersion", "string"],
    ["kind", "string"],
    ["name", "string"],
    ["uid", "string"],
    ["controller", "bool"],
    ["blockOwnerDeletion", "bool"],
  ]),
  always: ["apiVersion", "kind", "name", "uid"],
};

const MANAGED: StructFields = {
  struct: "ManagedFieldsEntry",
  fields: new Map<string, Kind>([
    ["manager", "string"],
    ["operation", "string"],
    ["apiVersion", "string"],
    ["time", "time"],
    ["fieldsType", "string"],
    ["fieldsV1", "raw"],
    ["subresource", "string"],
  ]),
  always: [],
};

const FIELDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["name", "string"],
  ["generateName", "string"],
  ["namespace", "string"],
  ["selfLink", "string"],
  ["uid", "string"],
  ["resourceVersion", "string"],
  ["generation", "int64"],
  ["creationTimestamp", "time"],
  ["deletionTimestamp", "time"],
  ["deletionGracePeriodSeconds", "int64"],
  ["labels", "stringMap"],
  ["annotations", "stringMap"],
  ["ownerReferences", OWNER],
  ["finalizers", "strings"],
  ["managedFields", MANAGED],
]);

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function jsonType(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function mismatch(value: Json, struct: string, path: string, type: string): MetadataError {
  return new MetadataError(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${struct}.${path} of type ${type}`,
  );
}

/** The time in UTC and whole seconds, as the API stores it. */
function time(text: string): string {
  const parts = RFC3339.exec(text);
  const ms = parts ? Date.parse(text) : Number.NaN;
  if (!parts || Number.isNaN(ms)) {
    throw new MetadataError(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
    );
  }
  return parts[3] === "Z" && parts[2] === undefined ? text : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The value as its field holds it; undefined where the field counts as empty and is left out. */
function read(value: Json, kind: Kind, struct: string, path: string, unknown: string[] | undefined): Json | undefined {
  if (value === null) return undefined;
  if (typeof kind === "object") return readStructs(value, kind, struct, path, unknown);
  switch (kind) {
    case "string":
      if (typeof value !== "string") throw mismatch(value, struct, path, "string");
      return value === "" ? undefined : value;
    case "int64":
      if (typeof value !== "number") throw mismatch(value, struct, path, "int64");
      if (!Number.isInteger(value)) {
        throw new MetadataError(
          `json: cannot unmarshal number ${value} into Go struct field ${struct}.${path} of type int64`,
        );
      }
      return value === 0 && path === "generation" ? undefined : value;
    case "bool":
      if (typeof value !== "boolean") throw mismatch(value, struct, path, "bool");
      return value;
    case "time":
      if (typeof value !== "string")
        throw new MetadataError(`json: cannot unmarshal ${jsonType(value)} into Go value of type string`);
      return time(value);
    case "raw":
      return value;
    case "strings":
      if (!Array.isArray(value)) throw mismatch(value, struct, path, "[]string");
      for (const [i, item] of value.entries()) {
        if (item === null) value[i] = "";
        else if (typeof item !== "string") throw mismatch(item, struct, path, "string");
      }
      return value.length === 0 ? undefined : value;
    case "stringMap":
      return readStringMap(value, struct, path);
  }
}

function readStringMap(value: Json, struct: string, path: string): Json | undefined {
  if (!isObject(value)) throw mismatch(value, struct, path, "map[string]string");
  let empty = true;
  for (const key of Object.keys(value)) {
    empty = false;
    const item = value[key]!;
    if (item === null) value[key] = "";
    else if (typeof item !== "string") throw mismatch(item, struct, path, "string");
  }
  return empty ? undefined : value;
}

function readStructs(
  value: Json,
  kind: StructFields,
  struct: string,
  path: string,
  unknown: string[] | undefined,
): Json | undefined {
  if (!Array.isArray(value)) throw mismatch(value, struct, path, `[]v1.${kind.struct}`);
  for (const [i, entry] of value.entries()) {
    const item = entry === null ? {} : entry;
    if (!isObject(item)) throw mismatch(item, struct, path, `v1.${kind.struct}`);
    readFields(item, kind.fields, kind.struct, path, unknown && ((name) => unknown.push(`${path}[${i}].${name}`)));
    for (const name of kind.always) if (!Object.hasOwn(item, name)) item[name] = "";
    value[i] = item;
  }
  return value.length === 0 ? undefined : value;
}

function readFields(
  object: JsonObject,
  fields: ReadonlyMap<string, Kind>,
  struct: string,
  path: string,
  unknown: ((name: string) => void) | undefined,
  drop = false,
): void {
  for (const name of Object.keys(object)) {
    const kind = fields.get(name);
    if (kind === undefined) {
      unknown?.(name);
      delete object[name];
      continue;
    }
    const below: string[] | undefined = unknown && [];
    try {
      const value = read(getOwn(object, name)!, kind, struct, path === "" ? name : `${path}.${name}`, below);
      if (value === undefined) delete object[name];
      else object[name] = value;
    } catch (error) {
      if (!drop || !(error instanceof MetadataError)) throw error;
      delete object[name];
    }
    for (const found of below ?? []) unknown?.(found);
  }
}

/**
 * Brings a `metadata` value into the shape of ObjectMeta, in place: unknown fields dropped and told (relative to metadata),
 * nulls and empties left out. Throws a {@link MetadataError} on values of a wrong type, or drops them too where `drop` is
 * set (objects read back from the store).
 */
export function coerceObjectMeta(metadata: Json, unknown: string[] | undefined, drop = false): void {
  if (!isObject(metadata)) {
    throw new MetadataError(`json: cannot unmarshal ${jsonType(metadata)} into Go value of type v1.ObjectMeta`);
  }
  readFields(metadata, FIELDS, "ObjectMeta", "", unknown && ((name) => unknown.push(name)), drop);
}
