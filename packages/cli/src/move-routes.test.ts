import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import { movedParents, routesWithout } from "./move-routes.ts";

const gateway = (name: string) => ({ kind: "Gateway", namespace: "edge", name });
const PARENTS = { from: gateway("gw-01"), to: gateway("gw-02") };

function route(name: string, gateways: readonly string[], hostnames?: readonly string[]): HTTPRoute {
  const parentRefs = gateways.map((each) => ({ kind: "Gateway", namespace: "edge", name: each }));
  return {
    metadata: { namespace: "shop", name },
    spec: { parentRefs, ...(hostnames && { hostnames: [...hostnames] }) },
  } as HTTPRoute;
}

const lacking = (routes: readonly HTTPRoute[], hostname: string): readonly (string | undefined)[] =>
  routesWithout(routes, [hostname], PARENTS).map(({ metadata }) => metadata.name);

test("routes that name the old Gateway and not the new one lack it, whether they name the hostname or take any", () => {
  const routes = [
    route("old", ["gw-01"], ["a.example.com"]),
    route("any", ["gw-01"]),
    route("both", ["gw-01", "gw-02"], ["a.example.com"]),
    route("elsewhere", ["gw-03"], ["a.example.com"]),
    route("other", ["gw-01"], ["b.example.com"]),
    route("wild", ["gw-01"], ["*.example.com"]),
  ];
  assert.deepEqual(lacking(routes, "a.example.com"), ["old", "any", "wild"]);
  assert.deepEqual(lacking(routes, "*.example.com"), ["old", "any", "other", "wild"]);
});

test("routes of Applications follow by themselves", () => {
  const own = route("web", ["gw-01"], ["a.example.com"]);
  const ownerReferences = [{ apiVersion: "cloudnative.elide.dev/v1", kind: "Application", name: "web", uid: "1" }];
  assert.deepEqual(lacking([{ ...own, metadata: { ...own.metadata, ownerReferences } }], "a.example.com"), []);
});

test("what is named is the Gateway, or the hostname's ListenerSet there", () => {
  const status = {
    assignedGateway: "gw-01",
    parents: [
      gateway("gw-01"),
      { kind: "ListenerSet", namespace: "edge", name: "gw-01-a.example.com" },
      gateway("gw-03"),
    ],
  };
  const request = { metadata: {}, spec: {}, status } as unknown as GatewayHostnameRequest;
  assert.deepEqual(
    movedParents(request, "gw-02").map(({ to }) => to.name),
    ["gw-02", "gw-02-a.example.com"],
  );
});
