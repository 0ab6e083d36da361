import type { KubeObject } from "@gatewright/kube";
import { getPath, isObject } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, GroupVersionObject, Program, Scenario, Step } from "@gatewright/runtime/simulation";
import { websites } from "../../examples/website/controller.ts";
import { DIRECTORY, OWNER } from "../../examples/website/directory.ts";
import { Website } from "../../examples/website/website.ts";

const LEASE = { namespace: DIRECTORY, name: "website-controller" };

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  // Renewed half as often as by default: most of what is left to simulate when nothing else happens are renewals.
  const lease = { ...LEASE, identity, retryMs: 4_000 };
  const manager = createManager({ name: "website-controller", transport, clock, random, log, lease });
  addProbed(probe, manager, websites());
  return manager;
};

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

const site = (name: string, page: string, replicas = 2): KubeObject => ({
  apiVersion: "examples.gatewright.dev/v1",
  kind: "Website",
  metadata: { name, namespace: "shop" },
  spec: { page, replicas },
});

const at = (
  resource: typeof Website | typeof core.ConfigMap | typeof apps.Deployment,
  name: string,
  home = "shop",
): GroupVersionObject => ({
  ...resource,
  namespace: home,
  name,
});

/** What a cluster's workload controllers and nodes do: after a while all replicas are ready. */
const workloads: Actor = {
  name: "workloads",
  watches: { group: "apps", resource: "deployments" },
  afterMs: 700,
  react(deployment) {
    const replicas = getPath(deployment, "spec", "replicas") ?? 1;
    if (getPath(deployment, "status", "readyReplicas") === replicas) return false;
    const status = isObject(deployment["status"]) ? deployment["status"] : {};
    deployment["status"] = { ...status, replicas, readyReplicas: replicas };
    return true;
  },
};

/** The example controller, two processes of which one leads, while websites come, change, are meddled with and go. */
export const websiteScenario: Scenario = {
  name: "website",
  about: "the example controller with a standby: owned objects, a finalizer, a status",
  before: [crdOf(Website) as unknown as KubeObject, namespace(DIRECTORY), namespace("shop")],
  steps: [
    { at: 1_000, create: site("a", "one") },
    { at: 3_000, create: site("b", "one", 1) },
    { at: 7_000, patch: at(Website, "a"), with: { spec: { page: "two" } } },
    { at: 10_000, patch: at(Website, "b"), with: { spec: { replicas: 3 } } },
    { at: 14_000, delete: at(Website, "b") },
    { at: 18_000, create: site("c", "one", 0) },
    { at: 21_000, delete: at(core.ConfigMap, "a") },
    { at: 24_000, patch: at(apps.Deployment, "a"), with: { spec: { replicas: 7 } } },
    { at: 27_000, delete: at(core.ConfigMap, "shop.a", DIRECTORY) },
    { at: 30_000, create: site("b", "anew", 1) },
    { at: 34_000, patch: at(Website, "a"), with: { spec: { page: "three", replicas: 1 } } },
    { at: 38_000, delete: at(Website, "c") },
  ],
  actors: [workloads],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
};

const meddlings: readonly Step[] = [
  {
    at: 40_000,
    patch: at(core.ConfigMap, "shop.a", DIRECTORY),
    with: { metadata: { annotations: { [OWNER]: null } } },
  },
  { at: 43_000, patch: at(core.ConfigMap, "shop.b", DIRECTORY), with: { data: { page: "not this" } } },
  { at: 46_000, patch: at(apps.Deployment, "a"), with: { spec: { replicas: 7 } } },
];

/** The same, and somebody who tears off what says whose an object is, and changes what is not theirs, last of all. */
export const meddledScenario: Scenario = {
  ...websiteScenario,
  name: "meddled",
  about: "the example controller, and a user who takes the labels off its objects",
  steps: [...websiteScenario.steps, ...meddlings],
};
