/** A custom resource for cases that need any: `widgets` in a group of the topic's own. */
export function widgetCrd(group: string, schema: object = widgetSchema, more: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", shortNames: [`w-${group.split(".")[0]}`] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
          additionalPrinterColumns: [
            { name: "Size", type: "integer", jsonPath: ".spec.size" },
            { name: "Color", type: "string", jsonPath: ".spec.color", priority: 1, description: "what it looks like" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
          selectableFields: [{ jsonPath: ".spec.color" }],
          schema: { openAPIV3Schema: schema },
          ...more,
        },
      ],
    },
  };
}

const widgetSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      "x-kubernetes-validations": [{ rule: "!has(self.size) || self.size < 100", message: "too big" }],
      properties: {
        size: { type: "integer", minimum: 0 },
        replicas: { type: "integer" },
        color: { type: "string", default: "blue" },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, port: { type: "integer" } },
          },
        },
        steps: { type: "array", items: { type: "string" } },
        point: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          properties: { x: { type: "integer" }, y: { type: "integer" } },
        },
        extra: { type: "object", additionalProperties: { type: "string" } },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, phase: { type: "string" }, selector: { type: "string" } },
    },
  },
};

/** Where widgets of a group are in the namespace of the case. */
export const widgetsOf = (group: string): string => `/apis/${group}/v1/namespaces/{{ns}}/widgets`;

/** A function that makes widgets of a group. */
export const widgetOf =
  (group: string) =>
  (name: string, spec: unknown = {}, metadata: object = {}): Readonly<Record<string, unknown>> => ({
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name, ...metadata },
    spec,
  });
