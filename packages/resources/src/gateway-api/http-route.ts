import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf, Rule } from "@gatewright/kube/define";
import { backendFields, backendWeight, serviceNeedsPort } from "./backend-reference.ts";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { sectionName } from "./name-fields.ts";
import { httpFilters } from "./route-filters.ts";
import { routeFields, routeStatus } from "./route-fields.ts";
import { httpMatch } from "./route-matches.ts";

const timeout = (description: string) => s.string({ description, pattern: "^([0-9]{1,5}(h|m|s|ms)){1,4}$" }).optional();

const timeouts = s.object(
  {
    request: timeout("For the whole answer to a request. 0s: none."),
    backendRequest: timeout("For one attempt at a backend. 0s: none."),
  },
  {
    description: "How long answers may take.",
    rules: [
      {
        rule: "!has(self.request) || !has(self.backendRequest) || duration(self.request) == duration('0s') || duration(self.backendRequest) <= duration(self.request)",
        message: "backendRequest is at most request",
      },
    ],
  },
);

const backendRef = s.object(
  {
    ...backendFields,
    weight: backendWeight,
    filters: httpFilters("What is done to requests of this backend.").optional(),
  },
  { rules: [serviceNeedsPort] },
);

const SINGLE_PREFIX = "(self.matches.size() == 1 && self.matches[0].path.type == 'PathPrefix')";

const replacesPrefix = (filters: string, filter: string): string =>
  `has(${filters}) && ${filters}.exists_one(f, has(f.${filter}) && has(f.${filter}.path) && has(f.${filter}.path.replacePrefixMatch))`;

/** What takes the place of a prefix needs one prefix to take the place of. */
const prefixRules = (filter: "requestRedirect" | "urlRewrite"): Rule[] => [
  {
    rule: `!(${replacesPrefix("self.filters", filter)}) || ${SINGLE_PREFIX}`,
    message: `${filter} with replacePrefixMatch needs one match, of a path prefix`,
  },
  {
    // As upstream: several backends with such a filter go unchecked.
    rule: `!(has(self.backendRefs) && self.backendRefs.exists_one(b, ${replacesPrefix("b.filters", filter)})) || ${SINGLE_PREFIX}`,
    message: `${filter} with replacePrefixMatch in a backend needs one match, of a path prefix`,
  },
];

const rule = s.object(
  {
    name: sectionName("Name of the rule, unique in the route.").optional(),
    matches: s.array(httpMatch, {
      description: "Requests that the rule is for: those that meet one of these.",
      maxItems: 64,
      listType: "atomic",
      default: [{ path: { type: "PathPrefix", value: "/" } }],
    }),
    filters: httpFilters("What is done to requests and answers.").optional(),
    backendRefs: s
      .array(backendRef, { description: "Where requests go.", maxItems: 16, listType: "atomic" })
      .optional(),
    timeouts: timeouts.optional(),
  },
  {
    rules: [
      {
        rule: "!has(self.backendRefs) || size(self.backendRefs) == 0 || !has(self.filters) || self.filters.all(f, !has(f.requestRedirect))",
        message: "requests that are redirected have no backendRefs",
      },
      ...prefixRules("requestRedirect"),
      ...prefixRules("urlRewrite"),
    ],
  },
);

const shape = {
  spec: s.object({
    ...routeFields,
    rules: s.array(rule, {
      description: "What happens to which requests.",
      minItems: 1,
      maxItems: 16,
      listType: "atomic",
      default: [{ matches: [{ path: { type: "PathPrefix", value: "/" } }] }],
      rules: [
        {
          rule: "self.map(r, r.matches.size()).sum() <= 128",
          message: "a route has at most 128 matches in all its rules",
        },
      ],
    }),
  }),
  status: routeStatus,
  columns: [{ name: "Hostnames", type: "string", path: ".spec.hostnames" }, ageColumn],
} as const;

/** Which HTTP requests that come in at a Gateway go where. */
export const HTTPRoute = defineResource({
  ...gatewayApiKind,
  ...shape,
  version: "v1",
  kind: "HTTPRoute",
  scope: "Namespaced",
  description: "Which HTTP requests that come in at a Gateway go where.",
  versions: [{ ...shape, version: "v1beta1" }],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "shop" },
    spec: {
      parentRefs: [{ name: "edge", namespace: "edge" }],
      hostnames: ["shop.example.com"],
      rules: [{ backendRefs: [{ name: "shop", port: 80 }] }],
    },
  },
});

/** {@inheritDoc HTTPRoute} */
export type HTTPRoute = ObjectOf<typeof HTTPRoute>;
