import type { JsonObject } from "@gatewright/kube";

export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A definition of `<plural>.hard.example.com` whose `spec` has the given schema. */
export function definition(plural: string, spec: JsonObject): JsonObject {
  const singular = plural.slice(0, -1);
  const kind = singular.charAt(0).toUpperCase() + singular.slice(1);
  return {
    metadata: { name: `${plural}.hard.example.com` },
    spec: {
      group: "hard.example.com",
      scope: "Namespaced",
      names: { plural, singular, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

export function collection(plural: string, namespace = "default"): string {
  return `/apis/hard.example.com/v1/namespaces/${namespace}/${plural}`;
}

/** A custom resource as the client writes it. */
export function custom(kind: string, name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: "hard.example.com/v1", kind, metadata: { name }, spec };
}
