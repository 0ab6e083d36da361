import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManifestOf } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import { allResources } from "./all-resources.ts";
import type { Gateway } from "./gateway-api/gateway.ts";
import type { HTTPRoute } from "./gateway-api/http-route.ts";
import type { LoadBalancerConfiguration } from "./gateway-aws/load-balancer-configuration.ts";
import { gatewayResources } from "./gateway-resources.ts";

type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Rule = HTTPRoute["spec"]["rules"][number];

test("what servers fill in is there for readers, what users may leave out is optional", () => {
  const claims: readonly true[] = [
    true satisfies Same<
      Rule["matches"][number]["path"],
      { type: "Exact" | "PathPrefix" | "RegularExpression"; value: string }
    >,
    true satisfies Same<NonNullable<Rule["backendRefs"]>[number]["weight"], number>,
    true satisfies Same<NonNullable<Rule["backendRefs"]>[number]["port"], number | undefined>,
    true satisfies Same<HTTPRoute["spec"]["hostnames"], string[] | undefined>,
    true satisfies Same<
      Gateway["spec"]["listeners"][number]["allowedRoutes"]["namespaces"]["from"],
      "All" | "Selector" | "Same"
    >,
    true satisfies Same<
      NonNullable<LoadBalancerConfiguration["spec"]>["scheme"],
      "internal" | "internet-facing" | undefined
    >,
  ];
  const least: ManifestOf<typeof Gateway>["spec"] = {
    gatewayClassName: "a",
    listeners: [{ name: "http", port: 80, protocol: "HTTP" }],
  };
  assert.ok(claims.every(Boolean) && least.listeners.length === 1);
});

test("kinds of others are no kinds of ours", () => {
  const own = new Set(allResources.map(({ group }) => group));
  for (const { group } of gatewayResources) assert.ok(!own.has(group), group);
});

test("every manifest is one that API servers take", () => {
  for (const definition of gatewayResources) assert.equal(crdOf(definition).spec.names.kind, definition.kind);
});
