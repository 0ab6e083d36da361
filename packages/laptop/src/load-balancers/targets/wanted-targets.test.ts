import assert from "node:assert/strict";
import { test } from "node:test";
import type { core, discovery } from "@gatewright/kube/api";
import { wantedTargets } from "./wanted-targets.ts";

const service: core.Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: "shop", name: "web" },
  spec: {
    ports: [
      { name: "http", port: 80, nodePort: 30_080 },
      { name: "admin", port: 90 },
    ],
  },
};
const slice = (
  endpoints: discovery.Endpoint[],
  more: Partial<discovery.EndpointSlice> = {},
): discovery.EndpointSlice => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: {},
  addressType: "IPv4",
  ports: [
    { name: "http", port: 8080 },
    { name: "admin", port: 9090 },
  ],
  endpoints,
  ...more,
});
const binding = {
  service: { namespace: "shop", name: "web" },
  port: 80,
  targetType: "ip",
  nodeSelector: undefined,
} as const;
const at = (ip: string, conditions?: discovery.EndpointConditions): discovery.Endpoint => ({
  addresses: [ip],
  ...(conditions && { conditions }),
});

test("of pods those that are ready are targets, each once; one that terminates is none though it serves", () => {
  const slices = [
    slice([
      at("10.0.0.1", { ready: true }),
      at("10.0.0.2"),
      at("10.0.0.3", { ready: false, serving: true, terminating: true }),
    ]),
    slice([at("10.0.0.1", { ready: true })]),
    slice([at("fd00::1")], { addressType: "IPv6" }),
  ];
  assert.deepEqual(wantedTargets(binding, { service, slices, nodes: [] }), [
    { id: "10.0.0.1", port: 8080 },
    { id: "10.0.0.2", port: 8080 },
  ]);
  const admin = wantedTargets({ ...binding, port: 90 }, { service, slices, nodes: [] });
  assert.deepEqual(
    admin.map(({ port }) => port),
    [9090, 9090],
  );
  assert.deepEqual(wantedTargets(binding, { service: undefined, slices, nodes: [] }), []);
});

test("a slice without endpoints, whose lists the server gives as null, has no targets", () => {
  const empty = { ...slice([]), ports: null, endpoints: null } as unknown as discovery.EndpointSlice;
  assert.deepEqual(wantedTargets(binding, { service, slices: [empty], nodes: [] }), []);
});

test("of nodes those that are ready and not kept out are targets, by the ids of their instances", () => {
  const node = (id: string, ready: string, labels: Record<string, string> = {}): core.Node => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: id, labels },
    spec: { providerID: `aws:///eu-west-1a/${id}` },
    status: { conditions: [{ type: "Ready", status: ready }] },
  });
  const nodes = [
    node("i-1", "True", { pool: "edge" }),
    node("i-2", "False"),
    node("i-3", "True", { "node.kubernetes.io/exclude-from-external-load-balancers": "" }),
    node("i-4", "True"),
    { ...node("i-5", "True"), spec: {} },
  ];
  const onNodes = { ...binding, targetType: "instance" } as const;
  const ids = (nodeSelector?: object) =>
    wantedTargets({ ...onNodes, nodeSelector }, { service, slices: [], nodes }).map(({ id, port }) => `${id}:${port}`);
  assert.deepEqual(ids(), ["i-1:30080", "i-4:30080"]);
  assert.deepEqual(ids({ matchLabels: { pool: "edge" } }), ["i-1:30080"]);
});
