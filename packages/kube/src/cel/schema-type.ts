import type { Json, JsonObject } from "../json/json.ts";
import { getOwn, isObject } from "../json/json.ts";
import { escapeName } from "./escape.ts";
import { boolType, doubleType, intType, stringType } from "./types.ts";
import type { CelType, ListMerge } from "./types.ts";

/** The largest request that the server reads: what a schema leaves unbounded is bounded by this. */
export const maxRequestBytes = 3 * 1024 * 1024;

/**
 * The type of the data that a structural schema describes, with bounds for cost estimation. Undefined when expressions
 * cannot see such data: unknown fields, and lists and maps of them. `root` is set for the schema of a whole resource,
 * whose apiVersion, kind and metadata.name and generateName are always there.
 */
export function celTypeFromSchema(schema: JsonObject, options: { root: boolean; name?: string }): CelType | undefined {
  return convert(schema, options.root, options.name ?? "selfType");
}

function convert(schema: JsonObject, resource: boolean, name: string): CelType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    const max = maxLengthInBytes(schema) ?? maxRequestBytes - 2;
    return { kind: "dyn", bounds: { maxSize: max, minJsonSize: 1 } };
  }
  const seen = resource ? withTypeAndMetadata(schema) : schema;
  switch (seen["type"]) {
    case "array":
      return convertArray(seen, name);
    case "object":
      return convertObject(seen, name);
    case "string":
      return convertString(seen);
    case "boolean":
      return { ...boolType, bounds: { maxSize: 0, minJsonSize: 4 } };
    case "number":
      return { ...doubleType, bounds: { maxSize: 0, minJsonSize: 1 } };
    case "integer":
      return { ...intType, bounds: { maxSize: 0, minJsonSize: 1 } };
    default:
      return undefined;
  }
}

function convertArray(schema: JsonObject, name: string): CelType | undefined {
  const items = schema["items"];
  const element = isObject(items) ? convert(items, isEmbedded(items), `${name}.@idx`) : undefined;
  if (element === undefined) return undefined;
  const maxSize = limit(schema, "maxItems") ?? Math.floor((maxRequestBytes - 2) / (minJsonSize(element) + 1));
  const merge = listMerge(schema);
  return { kind: "list", element, bounds: { maxSize, minJsonSize: 2 }, ...(merge === undefined ? {} : { merge }) };
}

function listMerge(schema: JsonObject): ListMerge | undefined {
  const keys = schema["x-kubernetes-list-map-keys"];
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return { by: "value" };
    case "map":
      return { by: "keys", keys: Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [] };
    default:
      return undefined;
  }
}

function convertObject(schema: JsonObject, name: string): CelType | undefined {
  const additional = schema["additionalProperties"];
  if (isObject(additional)) {
    const value = convert(additional, isEmbedded(additional), `${name}.@elem`);
    if (value === undefined) return undefined;
    const maxSize = limit(schema, "maxProperties") ?? Math.floor((maxRequestBytes - 2) / (minJsonSize(value) + 6));
    return { kind: "map", key: mapKey, value, bounds: { maxSize, minJsonSize: 2 } };
  }
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const types = new Map<string, CelType>();
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  let smallest = 2;
  for (const [property, child] of Object.entries(properties)) {
    const escaped = escapeName(property);
    const type = isObject(child) ? convert(child, isEmbedded(child), `${name}.${escaped ?? property}`) : undefined;
    if (type === undefined) continue;
    if (escaped !== undefined) types.set(escaped, type);
    if (required.includes(property) && isObject(child) && child["default"] === undefined) {
      smallest += property.length + minJsonSize(type) + 4;
    }
  }
  return { kind: "object", name, field: (field) => types.get(field), bounds: { maxSize: 0, minJsonSize: smallest } };
}

function convertString(schema: JsonObject): CelType {
  switch (schema["format"]) {
    case "byte":
      return { kind: "bytes", bounds: { maxSize: limit(schema, "maxLength") ?? maxRequestBytes - 2, minJsonSize: 2 } };
    case "duration":
      return { kind: "duration", bounds: { maxSize: 32, minJsonSize: 3 } };
    case "date":
      return { kind: "timestamp", bounds: { maxSize: 12, minJsonSize: 12 } };
    case "date-time":
      return { kind: "timestamp", bounds: { maxSize: 32, minJsonSize: 21 } };
    default:
      return {
        kind: "string",
        bounds: {
          maxSize: maxLengthInBytes(schema) ?? longestEnum(schema["enum"]) ?? maxRequestBytes - 2,
          minJsonSize: 2,
        },
      };
  }
}

/** Lengths are promised in characters, each of which may take four bytes. */
function maxLengthInBytes(schema: JsonObject): number | undefined {
  const length = limit(schema, "maxLength");
  return length === undefined ? undefined : length * 4;
}

function longestEnum(values: Json | undefined): number | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0)));
}

function limit(schema: JsonObject, key: string): number | undefined {
  const value = getOwn(schema, key);
  return typeof value === "number" ? Math.max(0, value) : undefined;
}

function minJsonSize(type: CelType): number {
  return type.bounds?.minJsonSize ?? 0;
}

function isEmbedded(schema: JsonObject): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** The reference estimator takes keys for empty, and rules must not be refused that it lets pass. */
const mapKey: CelType = { ...stringType, bounds: { maxSize: 0, minJsonSize: 2 } };

const string: JsonObject = { type: "string" };
const metadata: JsonObject = { type: "object", properties: { name: string, generateName: string } };

function withTypeAndMetadata(schema: JsonObject): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, kind: string, apiVersion: string, metadata } };
}
