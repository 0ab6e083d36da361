import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { backendFields } from "./backend-fields.ts";
import { healthCheck } from "./health-check.ts";
import { requestLimits } from "./request-limits.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { backendColumns, backendStatus } from "./routing-status.ts";
import { backendTransform } from "./transform.ts";

/** Hosts that answer HTTP requests, and how they are treated. */
export const Backend = defineResource({
  ...ROUTING_GROUP,
  kind: "Backend",
  shortNames: ["be"],
  scope: "Namespaced",
  description: "Hosts that answer HTTP requests, and how they are treated.",
  spec: s.object({
    ...backendFields,
    protocol: s
      .string({
        description:
          "What is spoken. Default: http1, or what the hosts choose of tls.alpn. Not known to gateways of AVAPIGW.",
        enum: ["http1", "http2"],
      })
      .optional(),
    healthCheck,
    requestLimits,
    transform: backendTransform,
  }),
  status: backendStatus,
  columns: backendColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "Backend",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      hosts: [
        { address: "orders.default.svc.cluster.local", port: 8080, weight: 2 },
        { address: "10.0.0.7", port: 8080 },
      ],
      loadBalancer: { algorithm: "leastRequest" },
      healthCheck: { path: "/health", interval: "10s", timeout: "5s" },
      circuitBreaker: { enabled: true, threshold: 5, timeout: "30s" },
    },
  },
});

/** {@inheritDoc Backend} */
export type Backend = ObjectOf<typeof Backend>;
