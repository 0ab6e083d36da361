import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { deliverable } from "../../model/testing/deliverables.ts";
import { translate } from "./translate.ts";

const there = () => true;
const to = (...hosts: readonly string[]): JsonObject => ({
  route: hosts.map((host) => ({ destination: { host, port: 80 }, weight: 100 })),
});
const held = (kind: ObjectKind, spec: JsonObject): string[] => {
  const { deliverables, remarks } = translate(deliverable("x", { kind, spec }), there);
  const refused = remarks.filter((remark) => remark.refused);
  assert.equal(deliverables.length === 0, refused.length > 0);
  return refused.map(({ field }) => field);
};

test("destinations that name backends hold their namespace, others stay", () => {
  const route = deliverable("a", { spec: to("orders", "example.com") });
  const { deliverables } = translate(route, ({ name }) => name === "orders");
  const [made] = deliverables;
  assert.deepEqual(made?.spec["route"], [
    { destination: { host: "shop.orders", port: 80 }, weight: 0 },
    { destination: { host: "example.com", port: 80 }, weight: 0 },
  ]);
  assert.equal(route.spec["route"] !== made.spec["route"], true);
});

test("a route with several matches becomes one for each, named by what they are", () => {
  const [get, post] = [{ methods: ["get"] }, { uri: { regex: "/a|/b" }, methods: ["POST"] }];
  const route = (match: JsonObject[]) => deliverable("a", { spec: { ...to("orders"), match } });
  const names = (match: JsonObject[]) => translate(route(match), there).deliverables.map(({ name }) => name);
  const { deliverables } = translate(route([get, post]), there);
  assert.deepEqual(
    deliverables.map(({ spec }) => spec["match"]),
    [[{ methods: ["GET"] }], [{ uri: { regex: "^(?:/a|/b)$" }, methods: ["POST"] }]],
  );
  assert.deepEqual(names([get, post]), names([post, get]).toReversed());
  assert.deepEqual(names([get]), ["a"]);
  assert.equal(new Set(deliverables.map(({ version }) => version)).size, 2);
});

test("what would make the gateway refuse everything is held back, with its field", () => {
  assert.deepEqual(held("APIRoute", { aggregate: { enabled: true, targets: [] } }), ["spec.route"]);
  assert.deepEqual(held("GRPCRoute", to("a")), ["spec.match"]);
  assert.deepEqual(held("Backend", { maxSessions: { enabled: true, queueSize: 5 } }), [
    "spec.maxSessions.queueTimeout",
  ]);
  assert.deepEqual(held("GRPCBackend", { tls: { enabled: true, mode: "SIMPLE" } }), ["spec.tls.certFile"]);
  assert.deepEqual(held("Backend", { tls: { enabled: true, vault: { enabled: true } } }), [
    "spec.tls.vault.commonName",
  ]);
});

test("what protects and is not enforced there is held back", () => {
  assert.deepEqual(held("APIRoute", { ...to("a"), hosts: ["a.example"] }), ["spec.hosts"]);
  assert.deepEqual(held("APIRoute", { ...to("a"), tls: { clientValidation: { enabled: true } } }), [
    "spec.tls.clientValidation",
  ]);
  assert.deepEqual(held("GraphQLRoute", { ...to("a"), depthLimit: 3, introspectionEnabled: false }), [
    "spec.depthLimit",
    "spec.introspectionEnabled",
  ]);
  assert.deepEqual(
    held("GRPCRoute", { ...to("a"), match: [{ service: { exact: "*" } }], authorization: { enabled: true } }),
    ["spec.authorization"],
  );
  assert.deepEqual(held("APIRoute", { ...to("a"), tls: { clientValidation: { enabled: false } } }), []);
});

test("what does nothing there is said, and the object is served", () => {
  const spec = { ...to("a"), retries: { attempts: 3 }, fault: { abort: { httpStatus: 500 } } };
  const { deliverables, remarks } = translate(deliverable("a", { spec }), there);
  assert.equal(deliverables.length, 1);
  assert.deepEqual(
    remarks.map(({ field }) => field),
    ["spec.retries", "spec.fault"],
  );
  const balanced = { hosts: [], loadBalancer: { algorithm: "leastRequest" }, healthCheck: { tcp: true } };
  const backend = translate(deliverable("b", { kind: "Backend", spec: balanced }), there);
  assert.deepEqual(backend.deliverables[0]?.spec, { hosts: [], loadBalancer: { algorithm: "leastConn" } });
  assert.equal(backend.remarks.length, 2);
});
