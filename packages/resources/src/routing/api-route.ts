import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { mirror } from "./destinations.ts";
import { routeEncoding } from "./encoding.ts";
import { directResponse, fault, redirect, rewrite } from "./local-actions.ts";
import { httpRetries } from "./retries.ts";
import { leadsSomewhere, routeFields } from "./route-fields.ts";
import { httpMatches } from "./route-matches.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { routeColumns, routeStatus } from "./routing-status.ts";
import { transform } from "./transform.ts";
import { openAPIValidation } from "./validation-sources.ts";

/** Which HTTP requests go where, and what is done to them on the way. */
export const APIRoute = defineResource({
  ...ROUTING_GROUP,
  kind: "APIRoute",
  shortNames: ["ar"],
  scope: "Namespaced",
  description: "Which HTTP requests go where, and what is done to them on the way.",
  spec: s.object(
    {
      match: httpMatches,
      ...routeFields,
      redirect,
      directResponse,
      rewrite,
      retries: httpRetries,
      mirror,
      fault,
      encoding: routeEncoding,
      transform,
      openAPIValidation,
    },
    { rules: [leadsSomewhere("redirect", "directResponse")] },
  ),
  status: routeStatus,
  columns: routeColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "APIRoute",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      hosts: ["shop.example.com"],
      match: [{ uri: { prefix: "/api/v1" }, methods: ["GET", "POST"] }],
      route: [
        { destination: { host: "orders", port: 8080 }, weight: 90 },
        { destination: { host: "orders-next", port: 8080 }, weight: 10 },
      ],
      timeout: "30s",
      retries: { attempts: 3, perTryTimeout: "10s", retryOn: "5xx,connect-failure" },
      rateLimit: { enabled: true, requestsPerSecond: 100, burst: 200, perClient: true },
    },
  },
});

/** {@inheritDoc APIRoute} */
export type APIRoute = ObjectOf<typeof APIRoute>;
