/** A kind to load a server with. */
export const LOADS = "/apis/bench.example/v1/namespaces/default/loads";
export const LOADS_TABLE = "loads.bench.example";

export const LOAD_DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: LOADS_TABLE },
  spec: {
    group: "bench.example",
    scope: "Namespaced",
    names: { plural: "loads", kind: "Load" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  text: { type: "string" },
                  tags: { type: "array", items: { type: "string" } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const filler = "x".repeat(1400);

export function loadName(index: number): string {
  return `load-${String(index).padStart(6, "0")}`;
}

/** A custom resource that is about 2 KB of JSON when it is stored. */
export function loadObject(index: number) {
  return {
    apiVersion: "bench.example/v1",
    kind: "Load",
    metadata: { name: loadName(index), labels: { shard: String(index % 10) } },
    spec: { size: index, text: filler, tags: ["a", "b", "c"] },
  };
}
