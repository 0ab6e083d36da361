import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf, Rule } from "@gatewright/kube/define";
import { fieldsByType } from "../gateway-api/shared-rules.ts";
import { authenticateCognito, authenticateOidc, jwtValidation } from "./authenticate-actions.ts";
import { ageColumn, deprecation, GATEWAY_AWS_GROUP, tags } from "./gateway-aws-group.ts";

const forward = s.object(
  {
    targetGroupStickinessConfig: s.object(
      {
        enabled: s.boolean({ description: "Whether clients stay with a target group.", default: false }),
        durationSeconds: s.integer({
          description: "For how long.",
          format: "int32",
          minimum: 1,
          maximum: 604_800,
          default: 3600,
        }),
      },
      { description: "Stickiness between target groups.", default: {} },
    ),
  },
  { description: "Settings of forwarding." },
);

const fixedResponse = s.object(
  {
    statusCode: s.integer({
      description: "Status of the answer.",
      format: "int32",
      rules: [
        { rule: "(self >= 200 && self < 300) || (self >= 400 && self < 600)", message: "a status is 2xx, 4xx or 5xx" },
      ],
    }),
    contentType: s.string({
      description: "Type of the body.",
      enum: ["text/plain", "text/css", "text/html", "application/javascript", "application/json"],
      default: "text/plain",
    }),
    messageBody: s.string({ description: "Body of the answer." }).optional(),
  },
  { description: "An answer without a backend." },
);

const redirect = s.object(
  { query: s.string({ description: "Query to go to.", default: "#{query}" }) },
  { description: "What a redirect of the route leaves open." },
);

const action = s.object(
  {
    type: s.string({
      description: "Which of the actions this is.",
      enum: ["forward", "fixed-response", "redirect", "authenticate-cognito", "authenticate-oidc", "jwt-validation"],
    }),
    forwardConfig: forward.optional(),
    redirectConfig: redirect.optional(),
    fixedResponseConfig: fixedResponse.optional(),
    authenticateCognitoConfig: authenticateCognito.optional(),
    authenticateOIDCConfig: authenticateOidc.optional(),
    jwtValidationConfig: jwtValidation.optional(),
  },
  {
    rules: fieldsByType({
      forward: "forwardConfig",
      redirect: "redirectConfig",
      "fixed-response": "fixedResponseConfig",
      "authenticate-cognito": "authenticateCognitoConfig",
      "authenticate-oidc": "authenticateOIDCConfig",
      "jwt-validation": "jwtValidationConfig",
    }),
  },
);

const atMostOne = (what: string, ...types: readonly string[]): Rule => ({
  rule: `!has(self.actions) || self.actions.filter(a, a.type in [${types.map((type) => `'${type}'`).join(", ")}]).size() <= 1`,
  message: `at most one action ${what}`,
});

const condition = s.object(
  {
    field: s.string({ description: "What is looked at.", enum: ["source-ip"] }),
    sourceIPConfig: s
      .object(
        { values: s.array(s.string(), { description: "Address ranges.", minItems: 1 }) },
        { description: "Where requests come from." },
      )
      .optional(),
    matchIndexes: s
      .array(s.integer(), { description: "Matches of the route's rule that it is for, from 0. Default: all." })
      .optional(),
  },
  {
    rules: [
      {
        rule: "has(self.sourceIPConfig) == (self.field == 'source-ip')",
        message: "sourceIPConfig is set for field source-ip, and only for it",
      },
    ],
  },
);

const shape = {
  spec: s
    .object(
      {
        actions: s
          .array(action, { description: "What is done beside the route's own action.", minItems: 1, maxItems: 2 })
          .optional(),
        conditions: s.array(condition, { description: "Further conditions of the rule.", minItems: 1 }).optional(),
        tags,
      },
      {
        rules: [
          atMostOne("checks who asks", "authenticate-oidc", "authenticate-cognito", "jwt-validation"),
          atMostOne("answers or forwards", "fixed-response", "forward", "redirect"),
        ],
      },
    )
    .optional(),
  status: s.object({
    observedGeneration: s.integer({ description: "Generation that was last used.", format: "int64" }).optional(),
    accepted: s.boolean({ description: "Whether it is in force." }).optional(),
    message: s.string({ description: "Why not." }).optional(),
  }),
  columns: [ageColumn],
} as const;

/** What a rule of a load balancer does beyond what routes can say. Routes name it in an ExtensionRef filter. */
export const ListenerRuleConfiguration = defineResource({
  ...shape,
  group: GATEWAY_AWS_GROUP,
  version: "v1",
  kind: "ListenerRuleConfiguration",
  scope: "Namespaced",
  description:
    "What a rule of a load balancer does beyond what routes can say. Routes name it in an ExtensionRef filter.",
  versions: [{ ...shape, version: "v1beta1", deprecated: deprecation("ListenerRuleConfiguration") }],
  example: {
    apiVersion: "gateway.k8s.aws/v1",
    kind: "ListenerRuleConfiguration",
    metadata: { name: "not-found" },
    spec: { actions: [{ type: "fixed-response", fixedResponseConfig: { statusCode: 404 } }] },
  },
});

/** {@inheritDoc ListenerRuleConfiguration} */
export type ListenerRuleConfiguration = ObjectOf<typeof ListenerRuleConfiguration>;
