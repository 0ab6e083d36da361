import type { JsonObject } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";
import { schemaName, schemaNameOf } from "./schema-name.ts";

const META = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.";

/** The schemas of the custom resources among `resources` in one version, and of their lists, by name. */
export function customSchemas(resources: readonly Resource[], version: string): Map<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  for (const resource of resources) {
    const served = resource.versions.find((v) => v.version === version);
    if (!resource.custom || !served) continue;
    const { group, kind, listKind } = resource;
    const name = schemaNameOf(resource, version);
    const own = [{ group, kind, version }];
    schemas.set(name, { ...(served.openapi ?? openObject), "x-kubernetes-group-version-kind": own });
    schemas.set(schemaName({ group, version, kind: listKind }), {
      description: `${listKind} is a list of ${kind}`,
      type: "object",
      required: ["items"],
      properties: {
        apiVersion: { type: "string" },
        items: { type: "array", items: { $ref: `#/components/schemas/${name}` } },
        kind: { type: "string" },
        metadata: { allOf: [{ $ref: `${META}ListMeta` }] },
      },
      "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
    });
  }
  return schemas;
}

const openObject: JsonObject = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: { allOf: [{ $ref: `${META}ObjectMeta` }] },
  },
  "x-kubernetes-preserve-unknown-fields": true,
};
