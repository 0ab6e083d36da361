import type { GroupVersion, JsonObject } from "@gatewright/kube";
import { documentVersion } from "../discovery/index.ts";
import type { Resource } from "../resources/resource.ts";
import { schemaComponents } from "./components.ts";
import { customSchemas } from "./custom-schemas.ts";
import { operationsOf } from "./operation.ts";
import type { Operation } from "./operation.ts";
import { byName, parameterV3, pathParameters } from "./parameters.ts";
import type { Parameter } from "./parameters.ts";
import { groupTag } from "./schema-name.ts";

/** The OpenAPI v3 document of one group version: operations on its resources, and the schemas that they need. */
export function groupDocument(gv: GroupVersion, resources: readonly Resource[]): JsonObject {
  const operations = resources.flatMap((resource) => {
    const version = resource.versions.find((v) => v.version === gv.version);
    return version ? operationsOf(resource, version) : [];
  });
  const own = customSchemas(resources, gv.version);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: documentVersion },
    paths: pathItems(operations, groupTag(gv.group, gv.version)),
    components: { schemas: schemaComponents(gv, schemasOf(operations), own), securitySchemes },
  };
}

const securitySchemes: JsonObject = {
  BearerToken: { type: "apiKey", description: "Bearer Token authentication", name: "authorization", in: "header" },
};

function* schemasOf(operations: readonly Operation[]): Iterable<string> {
  for (const { body, responses } of operations) {
    if (body) yield body.schema;
    for (const { schema } of responses) yield schema;
  }
}

function pathItems(operations: readonly Operation[], tag: string): JsonObject {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    const known = byPath.get(operation.path);
    if (known) known.push(operation);
    else byPath.set(operation.path, [operation]);
  }
  const paths = [...byPath.keys()].sort();
  return Object.fromEntries(paths.map((path) => [path, pathItem(path, byPath.get(path)!, tag)]));
}

/** What all operations on a path take is said once, for the path. */
function pathItem(path: string, operations: readonly Operation[], tag: string): JsonObject {
  const [first, ...others] = operations;
  const shared = first!.parameters.filter((parameter) => others.every((other) => other.parameters.includes(parameter)));
  const item: JsonObject = {};
  for (const operation of operations) {
    const own = operation.parameters.filter((parameter) => !shared.includes(parameter));
    item[operation.method] = operationV3(operation, own, tag);
  }
  return { ...item, parameters: byName([...shared, ...pathParameters(path)]).map(parameterV3) };
}

function operationV3(operation: Operation, parameters: readonly Parameter[], tag: string): JsonObject {
  const { body, gvk, produces } = operation;
  const responses: JsonObject = {};
  for (const { code, text, schema } of operation.responses) {
    responses[code] = { description: text, content: content(produces, schema) };
  }
  responses["401"] = { description: "Unauthorized" };
  return {
    tags: [tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterV3) }),
    ...(body && {
      requestBody: { content: content(body.types, body.schema), ...(body.required && { required: true }) },
    }),
    responses,
    "x-kubernetes-action": operation.action,
    "x-kubernetes-group-version-kind": { group: gvk.group, version: gvk.version, kind: gvk.kind },
  };
}

function content(types: readonly string[], schema: string): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${schema}` } }]));
}
