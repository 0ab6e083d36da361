import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { count, flag } from "./plain-fields.ts";
import { graphqlRetries } from "./retries.ts";
import { leadsSomewhere, routeFields } from "./route-fields.ts";
import { graphqlMatches } from "./route-matches.ts";
import { ROUTING_GROUP } from "./routing-group.ts";
import { routeColumns, routeStatus } from "./routing-status.ts";
import { schemaValidation } from "./validation-sources.ts";

const OPERATIONS = ["query", "mutation", "subscription"];

/** Which GraphQL requests go where, and what they may ask for. */
export const GraphQLRoute = defineResource({
  ...ROUTING_GROUP,
  kind: "GraphQLRoute",
  shortNames: ["gqlr"],
  scope: "Namespaced",
  description: "Which GraphQL requests go where, and what they may ask for.",
  spec: s.object(
    {
      match: graphqlMatches,
      ...routeFields,
      retries: graphqlRetries,
      depthLimit: count("How deep queries may go. 0: any depth.", 0),
      complexityLimit: count("How many fields queries may ask for. 0: any number.", 0),
      introspectionEnabled: flag("Whether clients may ask for the schema. Default: true."),
      allowedOperations: s
        .array(
          s.string({
            maxLength: 16,
            rules: [
              {
                rule: `self.lowerAscii() in [${OPERATIONS.map((name) => `'${name}'`).join(", ")}]`,
                message: `write one of ${OPERATIONS.join(", ")}`,
              },
            ],
          }),
          { description: "Types of operations that are let through. Default: all.", maxItems: 16 },
        )
        .optional(),
      schemaValidation,
    },
    { rules: [leadsSomewhere()] },
  ),
  status: routeStatus,
  columns: routeColumns,
  example: {
    apiVersion: "avapigw.io/v1alpha1",
    kind: "GraphQLRoute",
    metadata: { name: "catalog", namespace: "default" },
    spec: {
      match: [{ path: { exact: "/graphql" }, operationType: "query" }],
      route: [{ destination: { host: "catalog", port: 4000 } }],
      depthLimit: 10,
      complexityLimit: 500,
      introspectionEnabled: false,
    },
  },
});

/** {@inheritDoc GraphQLRoute} */
export type GraphQLRoute = ObjectOf<typeof GraphQLRoute>;
