import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewayLoad } from "./gateway-load.ts";
import type { Route } from "./gateway-load.ts";
import { arnOf, claim } from "./testing/claims.ts";

const GATEWAY = { namespace: "edge", name: "gw-01" };
const PARENT = { group: "gateway.networking.k8s.io", kind: "Gateway", namespace: "edge", name: "gw-01" };

function route(spec: object, { namespace = "shop", kind = "HTTPRoute" } = {}): Route {
  return { kind, metadata: { namespace, name: "r" }, spec: { parentRefs: [PARENT], ...spec } } as unknown as Route;
}

const rule = (matches: number, ...backends: string[]): object => ({
  matches: Array.from({ length: matches }, () => ({})),
  backendRefs: backends.map((name) => ({ name, port: 80 })),
});

function counted(...routes: Route[]): readonly [number, number] {
  const { rules, targetGroups } = gatewayLoad(GATEWAY, [claim("a.example.com"), claim("b.example.com")], routes);
  return [rules, targetGroups];
}

test("a hostname without a route counts as one rule and one target group, beside the pool's own two rules", () => {
  assert.deepEqual(counted(), [4, 2]);
  const redirect = claim("www.example.com", {}, { redirectTo: "example.com" });
  const load = gatewayLoad(GATEWAY, [redirect], []);
  assert.deepEqual([load.rules, load.targetGroups, load.hostnames], [3, 0, 1]);
  assert.deepEqual([...load.certificates], [arnOf("www.example.com")]);
});

test("a route counts a rule for each match and hostname, and a group for each port of a Service", () => {
  const both = { hostnames: ["a.example.com", "b.example.com"], rules: [rule(3, "x"), rule(1, "x", "y")] };
  assert.deepEqual(counted(route(both)), [2 + 4 * 2, 2]);
  assert.deepEqual(counted(route({ hostnames: ["a.example.com"], rules: [rule(2, "x")] })), [2 + 2 + 1, 1 + 1]);
  assert.deepEqual(
    counted(route({ rules: [rule(1, "x")] })),
    [4, 1],
    "without hostnames it is for all that it may use",
  );
  assert.deepEqual(counted(route({ hostnames: ["*.example.com"], rules: [{}] })), [4, 0]);
});

test("routes count only where they attach", () => {
  const rules = [rule(9, "x", "y", "z")];
  assert.deepEqual(counted(route({ rules }, { namespace: "other" })), [4, 2]);
  assert.deepEqual(counted(route({ rules, hostnames: ["c.example.com"] })), [4, 2]);
  assert.deepEqual(counted(route({ rules, parentRefs: [{ ...PARENT, name: "gw-02" }] })), [4, 2]);
  assert.deepEqual(counted(route({ rules, parentRefs: [{ ...PARENT, port: 80 }] })), [4, 2]);
  assert.deepEqual(counted(route({ rules, parentRefs: [{ ...PARENT, sectionName: "a.example.com" }] })), [
    2 + 9 + 1,
    4,
  ]);
  const set = { ...PARENT, kind: "ListenerSet", name: "gw-01-a.example.com" };
  assert.deepEqual(counted(route({ rules, parentRefs: [set] })), [2 + 9 + 1, 4]);
  const grpcOnly = claim("a.example.com", {}, { kinds: ["GRPCRoute"] });
  assert.equal(gatewayLoad(GATEWAY, [grpcOnly], [route({ rules })]).rules, 3);
  assert.equal(gatewayLoad(GATEWAY, [grpcOnly], [route({ rules }, { kind: "GRPCRoute" })]).rules, 11);
});
