import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";

/**
 * Some errors about CustomResourceDefinitions show a value as the API server's internal type prints it: every field, by its
 * Go name. These are those forms, so that messages compare equal.
 */

type Form = "text" | "flag" | "value" | "schema" | "schemas" | "named" | "items" | "additional" | "rules";

const SCHEMA_FIELDS: readonly (readonly [go: string, keyword: string, form: Form])[] = [
  ["ID", "id", "text"],
  ["Schema", "$schema", "text"],
  ["Ref", "$ref", "value"],
  ["Description", "description", "text"],
  ["Type", "type", "text"],
  ["Nullable", "nullable", "flag"],
  ["Format", "format", "text"],
  ["Title", "title", "text"],
  ["Default", "default", "value"],
  ["Maximum", "maximum", "value"],
  ["ExclusiveMaximum", "exclusiveMaximum", "flag"],
  ["Minimum", "minimum", "value"],
  ["ExclusiveMinimum", "exclusiveMinimum", "flag"],
  ["MaxLength", "maxLength", "value"],
  ["MinLength", "minLength", "value"],
  ["Pattern", "pattern", "text"],
  ["MaxItems", "maxItems", "value"],
  ["MinItems", "minItems", "value"],
  ["UniqueItems", "uniqueItems", "flag"],
  ["MultipleOf", "multipleOf", "value"],
  ["Enum", "enum", "value"],
  ["MaxProperties", "maxProperties", "value"],
  ["MinProperties", "minProperties", "value"],
  ["Required", "required", "value"],
  ["Items", "items", "items"],
  ["AllOf", "allOf", "schemas"],
  ["OneOf", "oneOf", "schemas"],
  ["AnyOf", "anyOf", "schemas"],
  ["Not", "not", "schema"],
  ["Properties", "properties", "named"],
  ["AdditionalProperties", "additionalProperties", "additional"],
  ["PatternProperties", "patternProperties", "named"],
  ["Dependencies", "dependencies", "value"],
  ["AdditionalItems", "additionalItems", "additional"],
  ["Definitions", "definitions", "named"],
  ["ExternalDocs", "externalDocs", "value"],
  ["Example", "example", "value"],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "value"],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", "flag"],
  ["XIntOrString", "x-kubernetes-int-or-string", "flag"],
  ["XListMapKeys", "x-kubernetes-list-map-keys", "value"],
  ["XListType", "x-kubernetes-list-type", "value"],
  ["XMapType", "x-kubernetes-map-type", "value"],
  ["XValidations", "x-kubernetes-validations", "rules"],
];

/** The Go name of a keyword: `maxItems` is `MaxItems`. */
export const goKeyword: ReadonlyMap<string, string> = new Map(SCHEMA_FIELDS.map(([go, keyword]) => [keyword, go]));

/** A schema as the internal JSONSchemaProps prints it. */
export function internalSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(SCHEMA_FIELDS.map(([go, keyword, form]) => [go, formed(getOwn(schema, keyword), form)]));
}

function formed(value: Json | undefined, form: Form): Json {
  if (form === "text") return value ?? "";
  if (form === "flag") return value ?? false;
  if (value === undefined || value === null) return null;
  const nested = (inner: Json): Json => (isObject(inner) ? internalSchema(inner) : inner);
  switch (form) {
    case "schema":
      return nested(value);
    case "schemas":
      return Array.isArray(value) ? value.map(nested) : value;
    case "named":
      return isObject(value) ? sortedMap(value, nested) : value;
    case "items":
      return Array.isArray(value)
        ? { Schema: null, JSONSchemas: value.map(nested) }
        : { Schema: nested(value), JSONSchemas: null };
    case "additional":
      return isObject(value) ? { Allows: true, Schema: nested(value) } : { Allows: value, Schema: null };
    case "rules":
      return Array.isArray(value) ? value.map((rule) => (isObject(rule) ? internalRule(rule) : rule)) : value;
    default:
      return value;
  }
}

function sortedMap(map: JsonObject, each: (value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.keys(map)
      .sort()
      .map((name) => [name, each(map[name]!)]),
  );
}

/** A validation rule as the internal ValidationRule prints it. */
export function internalRule(rule: JsonObject): JsonObject {
  return {
    Rule: rule["rule"] ?? "",
    Message: rule["message"] ?? "",
    MessageExpression: rule["messageExpression"] ?? "",
    Reason: rule["reason"] ?? null,
    FieldPath: rule["fieldPath"] ?? "",
    OptionalOldSelf: rule["optionalOldSelf"] ?? null,
  };
}
