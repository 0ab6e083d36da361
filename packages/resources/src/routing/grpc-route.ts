import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { mirror } from "./destinations.ts";
import { routeEncoding } from "./encoding.ts";
import { grpcTransform } from "./field-mask.ts";
import { filled } from "./plain-fields.ts";
import { grpcRetries } from "./retries.ts";
import { leadsSomewhere, routeFields } from "./route-fields.ts";
import { grpcMatches } from "./route-matches.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { routeColumns, routeStatus } from "./routing-status.ts";
import { protoValidation } from "./validation-sources.ts";

/** Which gRPC calls go where. */
export const GRPCRoute = defineResource({
  ...ROUTING_GROUP,
  kind: "GRPCRoute",
  shortNames: ["gr"],
  scope: "Namespaced",
  description: "Which gRPC calls go where.",
  spec: s.object(
    {
      match: grpcMatches,
      ...routeFields,
      retries: grpcRetries,
      mirror,
      encoding: routeEncoding,
      transform: grpcTransform,
      protoValidation,
    },
    {
      rules: [
        leadsSomewhere(),
        {
          rule: filled("self.match"),
          message: 'write match: which calls; for all calls [{service: {exact: "*"}}]',
        },
      ],
    },
  ),
  status: routeStatus,
  columns: routeColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "GRPCRoute",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      match: [{ service: { exact: "shop.v1.Orders" }, method: { prefix: "Get" } }],
      route: [{ destination: { host: "orders", port: 9090 } }],
      timeout: "10s",
      retries: { attempts: 2, retryOn: "unavailable" },
    },
  },
});

/** {@inheritDoc GRPCRoute} */
export type GRPCRoute = ObjectOf<typeof GRPCRoute>;
