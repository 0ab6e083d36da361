import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { backendFields } from "./backend-fields.ts";
import { healthCheck } from "./health-check.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { backendColumns, backendStatus } from "./routing-status.ts";

/** Hosts that answer GraphQL requests, and how they are treated. */
export const GraphQLBackend = defineResource({
  ...ROUTING_GROUP,
  kind: "GraphQLBackend",
  shortNames: ["gqlbe"],
  scope: "Namespaced",
  description: "Hosts that answer GraphQL requests, and how they are treated.",
  spec: s.object({ ...backendFields, healthCheck }),
  status: backendStatus,
  columns: backendColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "GraphQLBackend",
    metadata: { name: "catalog", namespace: "default" },
    spec: {
      hosts: [{ address: "catalog.default.svc.cluster.local", port: 4000 }],
      healthCheck: { path: "/health" },
    },
  },
});

/** {@inheritDoc GraphQLBackend} */
export type GraphQLBackend = ObjectOf<typeof GraphQLBackend>;
