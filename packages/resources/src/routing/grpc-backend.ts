import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { backendFields } from "./backend-fields.ts";
import { grpcTransform } from "./field-mask.ts";
import { grpcHealthCheck } from "./health-check.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { backendColumns, backendStatus } from "./routing-status.ts";

/** Hosts that answer gRPC calls, and how they are treated. */
export const GRPCBackend = defineResource({
  ...ROUTING_GROUP,
  kind: "GRPCBackend",
  shortNames: ["gbe"],
  scope: "Namespaced",
  description: "Hosts that answer gRPC calls, and how they are treated.",
  spec: s.object({ ...backendFields, healthCheck: grpcHealthCheck, transform: grpcTransform }),
  status: backendStatus,
  columns: backendColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "GRPCBackend",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      hosts: [{ address: "orders.default.svc.cluster.local", port: 9090 }],
      healthCheck: { enabled: true, service: "shop.v1.Orders", interval: "10s" },
      connectionPool: { maxConnsPerHost: 4, idleConnTimeout: "5m" },
    },
  },
});

/** {@inheritDoc GRPCBackend} */
export type GRPCBackend = ObjectOf<typeof GRPCBackend>;
