import type { ApiObject, Resource } from "@gatewright/kube";
import type { Client } from "@gatewright/runtime";
import { apiextensions } from "@gatewright/kube/api";

/** A kind for tests. */
export interface Widget extends ApiObject {
  spec?: { size?: number };
}

export const Widget: Resource<Widget> = {
  group: "events.example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};

/** Another, without namespaces. */
export const Planet: Resource<Widget> = { ...Widget, kind: "Planet", plural: "planets", namespaced: false };

/** An object as the API server would have it. */
export function widget(
  name: string,
  resourceVersion: number,
  facts: { uid?: string; namespace?: string } = {},
): Widget {
  const { uid = `uid-${name}`, namespace = "default" } = facts;
  return {
    apiVersion: "events.example.com/v1",
    kind: "Widget",
    metadata: { name, namespace, uid, resourceVersion: String(resourceVersion) },
    spec: { size: resourceVersion },
  };
}

/** Teaches an API server both kinds. */
export async function defineWidgets(client: Client): Promise<void> {
  for (const { group, version, kind, plural, namespaced } of [Widget, Planet]) {
    await client.for(apiextensions.CustomResourceDefinition).create({
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: namespaced ? "Namespaced" : "Cluster",
        names: { kind, plural, singular: kind.toLowerCase() },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
              },
            },
          },
        ],
      },
    });
  }
}
