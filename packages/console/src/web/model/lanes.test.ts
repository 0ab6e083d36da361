import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "./kube.ts";
import { lanesOf } from "./lanes.ts";
import type { LaneNode, LaneObjects } from "./lanes.ts";

const object = (kind: string, key: string, spec: object = {}, status: object = {}): KubeObject => {
  const [namespace = "", name = ""] = key.split("/");
  return { apiVersion: "v1", kind, metadata: { namespace, name, uid: `${kind} ${key}` }, spec, status };
};
const nothing: LaneObjects = {
  applications: [],
  hostnames: [],
  routes: [],
  ownRoutes: [],
  gateways: [],
  stateOf: () => "ok",
};
const words = (node: LaneNode): string =>
  node.type === "words" ? `(${node.text})` : `${node.object.kind} ${node.title}`;
const lanes = (given: Partial<LaneObjects>) => lanesOf({ ...nothing, ...given }).map(({ nodes }) => nodes.map(words));

const request = object(
  "GatewayHostnameRequest",
  "shop/web",
  { hostname: "web.example.com" },
  { assignedGateway: "gw-01", assignedGatewayNamespace: "edge" },
);
const route = object("HTTPRoute", "shop/web", {
  hostnames: ["web.example.com"],
  rules: [{ backendRefs: [{ name: "web" }] }],
});
const application = object("Application", "shop/web");
const gateway = object("Gateway", "edge/gw-01", {}, { addresses: [{ value: "lb.example" }] });

test("a hostname is on the way from its application over its route to its load balancer", () => {
  assert.deepEqual(lanes({ applications: [application], hostnames: [request], routes: [route], gateways: [gateway] }), [
    ["Application web", "HTTPRoute web", "GatewayHostnameRequest web.example.com", "Gateway gw-01"],
  ]);
});

test("what is missing is said, and nothing is left out", () => {
  assert.deepEqual(lanes({ hostnames: [request] }), [
    ["(—)", "(no route yet)", "GatewayHostnameRequest web.example.com", "(no load balancer yet)"],
  ]);
  assert.deepEqual(lanes({ applications: [application] }), [
    ["Application web", "(no route)", "(no hostname)", "(in the cluster only)"],
  ]);
  assert.deepEqual(lanes({ routes: [route] }), [["(web)", "HTTPRoute web", "(web.example.com)", "(no Gateway)"]]);
});

test("somebody else's route to the same name is not on this request's way", () => {
  const foreign = object("HTTPRoute", "other/web", { hostnames: ["web.example.com"] });
  assert.deepEqual(lanes({ hostnames: [request], routes: [foreign] })[0]?.[1], "(no route yet)");
  const open = { ...request, spec: { hostname: "web.example.com", routePolicy: { namespaces: ["other"] } } };
  assert.deepEqual(lanes({ hostnames: [open], routes: [foreign] })[0]?.[1], "HTTPRoute web");
});

test("a wildcard stands for one label and no more", () => {
  const wild = object("GatewayHostnameRequest", "shop/wild", { hostname: "*.example.com" });
  const one = object("HTTPRoute", "shop/one", { hostnames: ["a.example.com"] });
  const two = object("HTTPRoute", "shop/two", { hostnames: ["a.b.example.com"] });
  assert.deepEqual(lanes({ hostnames: [wild], routes: [one] }).length, 1);
  assert.deepEqual(lanes({ hostnames: [wild], routes: [two] }).length, 2);
});

test("the worst way is the first, and what the pool makes for itself is on none", () => {
  const redirect = {
    ...object("HTTPRoute", "edge/r"),
    metadata: { name: "r", labels: { "gateway.opendi.com/pool": "true" } },
  };
  const stateOf = (each: KubeObject) => (each.metadata.name === "bad" ? "broken" : "ok");
  const told = lanesOf({
    ...nothing,
    routes: [redirect],
    applications: [application, object("Application", "shop/bad")],
    stateOf,
  });
  assert.deepEqual(
    told.map(({ state }) => state),
    ["broken", "ok"],
  );
});
