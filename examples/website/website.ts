import { ageColumn, conditionColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";

/** A page that a team wants served: the kind, its schema and its columns in one value. */
export const Website = defineResource({
  group: "examples.gatewright.dev",
  version: "v1",
  kind: "Website",
  scope: "Namespaced",
  description: "A page that is served by a few web servers.",
  spec: s.object({
    page: s.string({ description: "What the page says.", maxLength: 10_000 }),
    replicas: s.integer({ description: "How many web servers serve it.", minimum: 0, maximum: 100, default: 2 }),
  }),
  status: s.object({
    readyReplicas: s.integer({ description: "How many of them are ready." }).optional(),
    conditions: s.conditions(),
  }),
  columns: [conditionColumn("Ready"), { name: "Replicas", type: "integer", path: ".status.readyReplicas" }, ageColumn],
});

/** {@inheritDoc Website} */
export type Website = ObjectOf<typeof Website>;
