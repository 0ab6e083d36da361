import type { Json, JsonObject } from "../json/json.ts";
import { elementDefault, schemaDefault } from "./schema-default.ts";
import { definitionName, definitionOfKind, tableDefinition } from "./table.ts";
import type { TableField } from "./table.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const APIEXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";

/** Types that are published as definitions of their own, by the table's words. */
const wordDefinitions: ReadonlyMap<string, string> = new Map([
  ["time", `${META}Time`],
  ["micro-time", `${META}MicroTime`],
  ["fields", `${META}FieldsV1`],
  ["quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity"],
  ["int-or-string", "io.k8s.apimachinery.pkg.util.intstr.IntOrString"],
  ["raw", "io.k8s.apimachinery.pkg.runtime.RawExtension"],
  ["json", `${APIEXTENSIONS}JSON`],
  ["schema-or-bool", `${APIEXTENSIONS}JSONSchemaPropsOrBool`],
  ["schema-or-array", `${APIEXTENSIONS}JSONSchemaPropsOrArray`],
  ["schema-or-strings", `${APIEXTENSIONS}JSONSchemaPropsOrStringArray`],
]);

const specialSchemas: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  [`${META}Time`, { type: "string", format: "date-time" }],
  [`${META}MicroTime`, { type: "string", format: "date-time" }],
  [`${META}FieldsV1`, { type: "object" }],
  [`${META}Patch`, { type: "object" }],
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
  [
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  ],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", { type: "object" }],
  [`${APIEXTENSIONS}JSON`, {}],
  [`${APIEXTENSIONS}JSONSchemaPropsOrBool`, {}],
  [`${APIEXTENSIONS}JSONSchemaPropsOrArray`, {}],
  [`${APIEXTENSIONS}JSONSchemaPropsOrStringArray`, {}],
]);

const scalars: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["string", { type: "string" }],
  ["bool", { type: "boolean" }],
  ["int32", { type: "integer", format: "int32" }],
  ["int64", { type: "integer", format: "int64" }],
  ["float64", { type: "number", format: "double" }],
  ["bytes", { type: "string", format: "byte" }],
]);

/** The OpenAPI name of a built-in kind's definition, or undefined where the kind is not built in. */
export function definitionNameOfKind(group: string, version: string, kind: string): string | undefined {
  const short = definitionOfKind(group, version, kind);
  return short === undefined ? undefined : definitionName(short);
}

/**
 * The OpenAPI v3 schema of a built-in definition by its full name (`io.k8s.api.core.v1.PodSpec`), without descriptions.
 * It refers to others below `#/components/schemas/`. A new value each time.
 */
export function builtinDefinition(name: string): JsonObject | undefined {
  const special = specialSchemas.get(name);
  if (special) return structuredClone(special);
  const definition = tableDefinition(shortName(name));
  if (!definition) return undefined;
  const required: string[] = [];
  const properties: JsonObject = {};
  for (const field of Object.keys(definition.fields).sort()) properties[field] = property(definition.fields[field]!);
  for (const [field, { r }] of Object.entries(definition.fields)) if (r === 1) required.push(field);
  const [group, version, kind] = definition.gvk ?? [];
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(kind !== undefined && { "x-kubernetes-group-version-kind": [{ group: group!, kind, version: version! }] }),
    ...(definition.map !== undefined && { "x-kubernetes-map-type": definition.map }),
    ...(definition.unions !== undefined && { "x-kubernetes-unions": structuredClone(definition.unions) }),
  };
}

function shortName(name: string): string {
  return name.replace(/^io\.k8s\.(?:api|apimachinery\.pkg\.apis|apiextensions-apiserver\.pkg\.apis)\./, "");
}

function property(field: TableField): JsonObject {
  const value = schemaDefault(field);
  return {
    ...typeSchema(field.t, value, field.e, true),
    ...(field.k !== undefined && { "x-kubernetes-list-map-keys": [...field.k] }),
    ...(field.l !== undefined && { "x-kubernetes-list-type": field.l }),
    ...(field.m !== undefined && { "x-kubernetes-map-type": field.m }),
    ...(field.mk !== undefined && { "x-kubernetes-patch-merge-key": field.mk }),
    ...(field.s !== undefined && { "x-kubernetes-patch-strategy": field.s }),
  };
}

/** A reference stands alone only where nothing goes with it: OpenAPI ignores its siblings. */
function typeSchema(
  t: string,
  value: Json | undefined,
  values: readonly string[] | undefined,
  wrap: boolean,
): JsonObject {
  const list = /^(?:\[\]|~)/.exec(t);
  if (list) return { type: "array", items: elementSchema(t.slice(list[0].length), values) };
  if (t.startsWith("{}")) return { type: "object", additionalProperties: elementSchema(t.slice(2), values) };
  const withDefault: JsonObject = value === undefined ? {} : { default: structuredClone(value) };
  const scalar = scalars.get(t);
  if (scalar) return { ...scalar, ...withDefault, ...(values !== undefined && { enum: [...values] }) };
  const reference = { $ref: `#/components/schemas/${wordDefinitions.get(t) ?? definitionName(t)}` };
  return wrap || value !== undefined ? { ...withDefault, allOf: [reference] } : reference;
}

function elementSchema(t: string, values: readonly string[] | undefined): JsonObject {
  return typeSchema(t, elementDefault(t), values, false);
}
