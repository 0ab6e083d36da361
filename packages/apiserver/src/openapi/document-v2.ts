import { isObject, setOwn } from "@gatewright/kube";
import type { GroupVersion, Json, JsonObject } from "@gatewright/kube";
import { documentVersion } from "../discovery/index.ts";
import type { Resource } from "../resources/resource.ts";
import { schemaComponents } from "./components.ts";
import { customSchemas } from "./custom-schemas.ts";
import { operationsOf } from "./operation.ts";
import type { Operation } from "./operation.ts";
import { parameterV2, pathParameters } from "./parameters.ts";
import { groupTag } from "./schema-name.ts";

const coreV1: GroupVersion = { group: "", version: "v1" };

/** The one OpenAPI v2 document of the whole server. It says less than v3: what v2 cannot express is left out. */
export function documentV2(
  groups: ReadonlyMap<string, { gv: GroupVersion; resources: readonly Resource[] }>,
): JsonObject {
  const definitions: JsonObject = {};
  const paths: JsonObject = {};
  for (const { gv, resources } of groups.values()) {
    const names: string[] = [];
    for (const resource of resources) {
      const version = resource.versions.find((v) => v.version === gv.version);
      for (const operation of version ? operationsOf(resource, version) : []) {
        const item = (paths[operation.path] ??= {
          parameters: pathParameters(operation.path).map(parameterV2),
        }) as JsonObject;
        item[operation.method] = operationV2(operation, groupTag(gv.group, gv.version));
        names.push(
          ...operation.responses.map(({ schema }) => schema),
          ...(operation.body ? [operation.body.schema] : []),
        );
      }
    }
    const schemas = schemaComponents(coreV1, names, customSchemas(resources, gv.version));
    for (const [name, schema] of Object.entries(schemas))
      definitions[name] ??= special[name] ?? schemaV2(schema as JsonObject);
  }
  return { swagger: "2.0", info: { title: "Kubernetes", version: documentVersion }, paths, definitions };
}

function operationV2(operation: Operation, tag: string): JsonObject {
  const { body, gvk } = operation;
  const responses: JsonObject = {};
  for (const { code, text, schema } of operation.responses)
    responses[code] = { description: text, schema: reference(schema) };
  responses["401"] = { description: "Unauthorized" };
  return {
    consumes: [...(body?.types ?? ["*/*"])],
    produces: [...operation.produces],
    description: operation.description,
    operationId: operation.id,
    tags: [tag],
    parameters: [
      ...operation.parameters.map(parameterV2),
      ...(body
        ? [{ name: "body", in: "body", ...(body.required && { required: true }), schema: reference(body.schema) }]
        : []),
    ],
    responses,
    schemes: ["https"],
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": { group: gvk.group, kind: gvk.kind, version: gvk.version },
  };
}

const reference = (schema: string): JsonObject => ({ $ref: `#/definitions/${schema}` });

/** Definitions that v3 gives as a choice of types. */
const special: Readonly<Record<string, JsonObject>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

const DROPPED: ReadonlySet<string> = new Set([
  "default",
  "nullable",
  "oneOf",
  "anyOf",
  "not",
  "allOf",
  "x-kubernetes-validations",
]);
/** Keywords whose value holds schemas by name: there, every key is data. */
const NAMED = "properties";

function schemaV2(schema: JsonObject): JsonObject {
  const found = schema["$ref"] ?? soleReference(schema["allOf"]);
  if (typeof found === "string") {
    const target = { $ref: found.replace("#/components/schemas/", "#/definitions/") };
    return typeof schema["description"] === "string" ? { description: schema["description"], ...target } : target;
  }
  const out: JsonObject = {};
  const open = isOpen(schema);
  const anyType = open || schema["x-kubernetes-int-or-string"] === true;
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED.has(key) || (anyType && (key === "type" || key === "format"))) continue;
    if (open && (key === NAMED || key === "items")) continue;
    setOwn(out, key, keywordV2(schema, key, value));
  }
  return out;
}

function keywordV2(schema: JsonObject, key: string, value: Json): Json {
  if (key === NAMED && isObject(value)) return mapSchemas(value);
  if (key === "required" && isObject(schema[NAMED])) return withoutNullable(value, schema[NAMED]);
  return isSchemaKeyword(key) ? nested(value) : value;
}

/**
 * Whether more is allowed than v2 can say. kubectl takes the properties and items of a schema for all that there can be, and
 * null for none of them: such a schema has neither, and no type.
 */
function isOpen(schema: JsonObject): boolean {
  return schema["nullable"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
}

/** The required names but for those whose value may be null, which kubectl takes for missing. */
function withoutNullable(required: Json, properties: JsonObject): Json {
  if (!Array.isArray(required)) return required;
  return required.filter((name) => {
    const property = typeof name === "string" && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(property) || property["nullable"] !== true;
  });
}

function isSchemaKeyword(key: string): boolean {
  return key === "items" || key === "additionalProperties";
}

function nested(value: Json): Json {
  return isObject(value) ? schemaV2(value) : value;
}

function mapSchemas(schemas: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) setOwn(out, name, nested(schema));
  return out;
}

function soleReference(allOf: Json | undefined): Json | undefined {
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  return isObject(only) ? only["$ref"] : undefined;
}
