import { getPath, isObject } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, GroupVersionObject, Program, Scenario } from "@gatewright/runtime/simulation";
import { endpointSlices } from "../../packages/laptop/src/services/endpoint-slices.ts";
import { endpoints } from "../../packages/laptop/src/services/endpoints.ts";

const LEASE = { namespace: "shop", name: "services" };

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  const manager = createManager({ name: "services", transport, clock, random, log, lease: { ...LEASE, identity } });
  addProbed(probe, manager, endpointSlices(manager.cache));
  addProbed(probe, manager, endpoints(manager.cache));
  return manager;
};

const service = (name: string, spec: Partial<core.ServiceSpec> = {}): KubeObject =>
  ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "shop", labels: { of: name } },
    spec: { selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: "web" }], ...spec },
  }) as unknown as KubeObject;

/** The last part of its address is in its name, so that it does not depend on who came first. */
const pod = (name: string, app: string, port = 8080): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop", labels: { app } },
  spec: {
    nodeName: "node",
    automountServiceAccountToken: false,
    containers: [{ name: "c", image: "i", ports: [{ name: "web", containerPort: port }] }],
  },
});

const at = (
  resource: typeof core.Pod | typeof core.Service | typeof core.Endpoints,
  name: string,
): GroupVersionObject => ({
  ...resource,
  namespace: "shop",
  name,
});

/** A node: pods are ready after a while, and go when they are deleted. */
const node: Actor = {
  name: "node",
  watches: { group: "", resource: "pods" },
  afterMs: 400,
  react(object) {
    if (object.metadata.deletionTimestamp !== undefined) return "delete";
    if (getPath(object, "status", "phase") !== "Pending") return false;
    const status = isObject(object["status"]) ? object["status"] : {};
    const podIP = `10.244.0.${object.metadata.name?.split("-")[1]}`;
    const conditions = [{ type: "Ready", status: "True" }];
    object["status"] = { ...status, phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions };
    return true;
  },
};

const ready = (name: string, value: "True" | "False") => ({
  patch: at(core.Pod, name),
  subresource: "status",
  with: { status: { conditions: [{ type: "Ready", status: value }] } },
});

/** The endpoint controllers of the laptop with a standby, while pods and Services come, change and go. */
export const servicesScenario: Scenario = {
  name: "services",
  about: "EndpointSlices and Endpoints with a standby: each pod told once, as it is, and nothing left behind",
  before: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }],
  steps: [
    { at: 1_000, create: service("web") },
    { at: 2_000, create: pod("web-1", "web") },
    { at: 2_100, create: pod("web-2", "web", 9090) },
    { at: 5_000, create: pod("web-3", "web") },
    { at: 6_000, create: pod("api-4", "api") },
    { at: 8_000, create: service("api", { clusterIP: "None", publishNotReadyAddresses: true }) },
    { at: 10_000, ...ready("web-1", "False") },
    { at: 12_000, ...ready("api-4", "False") },
    { at: 14_000, delete: at(core.Pod, "web-2") },
    { at: 17_000, patch: at(core.Pod, "web-3"), with: { metadata: { labels: { app: "api" } } } },
    { at: 20_000, patch: at(core.Service, "web"), with: { spec: { selector: { app: "api" } } } },
    { at: 23_000, delete: at(core.Endpoints, "web") },
    { at: 26_000, delete: at(core.Service, "api") },
    { at: 30_000, create: service("api") },
    { at: 33_000, ...ready("web-1", "True") },
    { at: 36_000, patch: at(core.Service, "api"), with: { metadata: { labels: { of: "anybody" } } } },
  ],
  actors: [node],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
};
