import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { backendFields, backendWeight, serviceNeedsPort } from "./backend-reference.ts";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { sectionName } from "./name-fields.ts";
import { grpcFilters } from "./route-filters.ts";
import { routeFields, routeStatus } from "./route-fields.ts";
import { grpcMatch } from "./route-matches.ts";

const backendRef = s.object(
  {
    ...backendFields,
    weight: backendWeight,
    filters: grpcFilters("What is done to calls of this backend.").optional(),
  },
  { rules: [serviceNeedsPort] },
);

const rule = s.object({
  name: sectionName("Name of the rule, unique in the route.").optional(),
  matches: s
    .array(grpcMatch, {
      description: "Calls that the rule is for: those that meet one of these. Default: all.",
      maxItems: 64,
      listType: "atomic",
    })
    .optional(),
  filters: grpcFilters("What is done to calls and answers.").optional(),
  backendRefs: s.array(backendRef, { description: "Where calls go.", maxItems: 16, listType: "atomic" }).optional(),
});

/** Which gRPC calls that come in at a Gateway go where. */
export const GRPCRoute = defineResource({
  ...gatewayApiKind,
  version: "v1",
  kind: "GRPCRoute",
  scope: "Namespaced",
  description: "Which gRPC calls that come in at a Gateway go where.",
  spec: s.object({
    ...routeFields,
    rules: s
      .array(rule, {
        description: "What happens to which calls.",
        maxItems: 16,
        listType: "atomic",
        rules: [
          {
            rule: "self.map(r, has(r.matches) ? r.matches.size() : 0).sum() <= 128",
            message: "a route has at most 128 matches in all its rules",
          },
        ],
      })
      .optional(),
  }),
  status: routeStatus,
  columns: [{ name: "Hostnames", type: "string", path: ".spec.hostnames" }, ageColumn],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GRPCRoute",
    metadata: { name: "orders" },
    spec: {
      parentRefs: [{ name: "edge", namespace: "edge" }],
      hostnames: ["orders.example.com"],
      rules: [{ matches: [{ method: { service: "shop.Orders" } }], backendRefs: [{ name: "orders", port: 50_051 }] }],
    },
  },
});

/** {@inheritDoc GRPCRoute} */
export type GRPCRoute = ObjectOf<typeof GRPCRoute>;
