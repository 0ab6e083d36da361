import type { Json, JsonObject } from "@gatewright/kube";
import { GRPCRoute, HTTPRoute, ReferenceGrant } from "@gatewright/resources";
import { casesOf, statusCasesOf, times } from "./case.ts";
import type { Case, Line } from "./case.ts";

const rule = (...rules: JsonObject[]): JsonObject => ({ rules });
const method = (fields: Json): JsonObject => rule({ matches: [{ method: fields }] });
const inMethod = "spec.rules[0].matches[0].method";

const grpcLines: Line[] = [
  ["nothing", {}],
  ["no rules", rule()],
  ["a service", method({ service: "shop.Orders" })],
  ["a method", method({ method: "List" })],
  ["a service with a dot in front", method({ service: ".shop.Orders" })],
  ["neither service nor method", method({}), inMethod],
  ["a service with a slash", method({ service: "shop/Orders" }), inMethod],
  ["a service in capitals", method({ service: "SHOP.ORDERS" })],
  ["a method with a dot", method({ method: "a.b" }), inMethod],
  ["a regular expression", method({ type: "RegularExpression", service: "shop/.*" })],
  ["an unknown type", method({ type: "Prefix", service: "a" }), `${inMethod}.type`],
  ["an empty service", method({ service: "" }), inMethod],
  ["a header", rule({ matches: [{ headers: [{ name: "a", value: "b" }] }] })],
  ["128 matches", rule(...times(2, () => ({ matches: times(64, () => ({})) })), {})],
  ["129 matches", rule(...times(2, () => ({ matches: times(64, () => ({})) })), { matches: [{}] }), "spec.rules"],
  ["a redirect", rule({ filters: [{ type: "RequestRedirect" }] }), "spec.rules[0].filters[0].type"],
  ["a filter without its field", rule({ filters: [{ type: "ExtensionRef" }] }), "spec.rules[0].filters[0]"],
  [
    "two header modifiers",
    rule({ filters: times(2, () => ({ type: "ResponseHeaderModifier", responseHeaderModifier: {} })) }),
    "spec.rules[0].filters",
  ],
  [
    "a backend",
    rule({
      backendRefs: [
        {
          name: "a",
          port: 50_051,
          filters: [{ type: "RequestMirror", requestMirror: { backendRef: { name: "b", port: 1 } } }],
        },
      ],
    }),
  ],
  ["a backend without port", rule({ backendRefs: [{ name: "a" }] }), "spec.rules[0].backendRefs[0]"],
  ["a parent twice", { parentRefs: [{ name: "a" }, { name: "a" }] }, "spec.parentRefs"],
];

const grantLines: Line[] = [
  [
    "a grant",
    {
      from: [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "a" }],
      to: [{ group: "", kind: "Service", name: "b" }],
    },
  ],
  ["a grant from nowhere", { from: [], to: [{ group: "", kind: "Service" }] }, "spec.from"],
  ["a grant to nothing", { from: [{ group: "", kind: "A", namespace: "a" }] }, "spec.to"],
  [
    "a grant to a kind without group",
    { from: [{ group: "", kind: "A", namespace: "a" }], to: [{ kind: "Service" }] },
    "spec.to[0].group",
  ],
  [
    "a grant from any namespace",
    { from: [{ group: "", kind: "A" }], to: [{ group: "", kind: "Service" }] },
    "spec.from[0].namespace",
  ],
  [
    "a kind that is none",
    { from: [{ group: "", kind: "A b", namespace: "a" }], to: [{ group: "", kind: "Service" }] },
    "spec.from[0].kind",
  ],
];

const condition = {
  type: "Accepted",
  status: "True",
  reason: "Accepted",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};
const parent = { parentRef: { name: "edge" }, controllerName: "gateway.k8s.aws/alb", conditions: [condition] };

const statusLines: Line[] = [
  ["a parent", { parents: [parent] }],
  ["no parents", { parents: [] }],
  ["parents that are missing", {}, "status.parents"],
  ["no conditions", { parents: [{ ...parent, conditions: [] }] }, "status.parents[0].conditions"],
  [
    "no controller",
    { parents: [{ parentRef: { name: "edge" }, conditions: [condition] }] },
    "status.parents[0].controllerName",
  ],
  ["33 parents", { parents: times(33, () => parent) }, "status.parents"],
];

export const otherCases: readonly Case[] = [
  ...casesOf(GRPCRoute, grpcLines),
  ...casesOf(ReferenceGrant, grantLines),
  ...statusCasesOf(HTTPRoute, {}, statusLines),
  ...statusCasesOf(GRPCRoute, {}, statusLines),
];
