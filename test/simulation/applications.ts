import type { JsonObject, KubeObject } from "@gatewright/kube";
import { getPath, isObject } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { APPLICATION_LABEL, applications } from "@gatewright/applications";
import { Application } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, GroupVersionObject, Program, Scenario } from "@gatewright/runtime/simulation";

const LEASE = { namespace: "shop", name: "gatewright" };

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  // Renewed half as often as by default, as in the scenario of websites.
  const lease = { ...LEASE, identity, retryMs: 4_000 };
  const manager = createManager({ name: "gatewright", transport, clock, random, log, lease });
  addProbed(probe, manager, applications());
  return manager;
};

const app = (name: string, spec: JsonObject): KubeObject => ({
  apiVersion: "cloudnative.elide.dev/v1",
  kind: "Application",
  metadata: { name, namespace: "shop" },
  spec,
});

type Kind = typeof Application | typeof apps.Deployment | typeof core.Service | typeof core.Pod;

const at = (resource: Kind, name: string): GroupVersionObject => ({ ...resource, namespace: "shop", name });

const now = "2026-01-01T00:00:00Z";

/** What a cluster's workload controllers and nodes do: after a while all replicas are of the newest spec, and available. */
const deployments: Actor = {
  name: "deployments",
  watches: { group: "apps", resource: "deployments" },
  afterMs: 700,
  react(deployment) {
    const count = getPath(deployment, "spec", "replicas") ?? 1;
    const observedGeneration = deployment.metadata.generation ?? 0;
    const seen = isObject(deployment["status"]) ? deployment["status"] : {};
    if (seen["observedGeneration"] === observedGeneration && seen["readyReplicas"] === count) return false;
    const counts = { replicas: count, updatedReplicas: count, readyReplicas: count, availableReplicas: count };
    const conditions = [
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "" },
      { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "" },
    ].map((each) => ({ ...each, lastUpdateTime: now, lastTransitionTime: now }));
    deployment["status"] = { observedGeneration, ...counts, conditions };
    return true;
  },
};

/** After a while every Job has completed. */
const jobs: Actor = {
  name: "jobs",
  watches: { group: "batch", resource: "jobs" },
  afterMs: 900,
  react(job) {
    if (getPath(job, "status", "succeeded") !== undefined) return false;
    const conditions = ["SuccessCriteriaMet", "Complete"].map((type) => ({
      type,
      status: "True",
      lastProbeTime: now,
      lastTransitionTime: now,
      reason: "CompletionsReached",
      message: "",
    }));
    const ends = { startTime: now, completionTime: now };
    job["status"] = {
      succeeded: getPath(job, "spec", "completions") ?? 1,
      uncountedTerminatedPods: {},
      ...ends,
      conditions,
    };
    return true;
  },
};

/** A pod of an Application whose image cannot be pulled. */
const pod = (name: string, of: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop", labels: { [APPLICATION_LABEL]: of } },
  // The name of the token's volume would be another in each run.
  spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "nope" }] },
});
const pulling = [
  {
    name: "app",
    image: "nope",
    imageID: "",
    ready: false,
    restartCount: 0,
    state: { waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "nope"' } },
  },
];

/** Applications come, change what they are made of, are meddled with and go; two processes of which one leads. */
export const applicationsScenario: Scenario = {
  name: "applications",
  about: "Applications with a standby: children that come and go, Jobs that run once, statuses",
  before: [
    crdOf(Application) as unknown as KubeObject,
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  ],
  steps: [
    { at: 1_000, create: app("web", { image: "web:1", replicas: 2, config: { level: "1" }, ports: [{ port: 80 }] }) },
    { at: 2_000, create: app("scaled", { image: "web:1", autoscaling: { minReplicas: 2, maxReplicas: 4 } }) },
    { at: 4_000, create: app("once", { image: "migrate:1", runToCompletion: true, config: { to: "1" } }) },
    { at: 8_000, patch: at(Application, "web"), with: { spec: { config: { level: "2" } } } },
    { at: 11_000, patch: at(Application, "web"), with: { spec: { strategy: "Recreate", image: "web:2" } } },
    { at: 14_000, delete: at(core.Service, "web") },
    { at: 16_000, patch: at(apps.Deployment, "web"), with: { spec: { replicas: 7 } } },
    { at: 18_000, create: app("switched", { image: "web:1", ports: [{ port: 80 }] }) },
    { at: 20_000, patch: at(Application, "once"), with: { spec: { image: "migrate:2", config: null } } },
    { at: 22_000, create: pod("web-broken", "web") },
    {
      at: 24_000,
      patch: at(core.Pod, "web-broken"),
      with: { status: { containerStatuses: pulling } },
      subresource: "status",
    },
    { at: 26_000, patch: at(Application, "switched"), with: { spec: { ports: null, runToCompletion: true } } },
    { at: 28_000, patch: at(Application, "scaled"), with: { spec: { strategy: "Recreate" } } },
    { at: 30_000, delete: at(Application, "web") },
    { at: 32_000, create: app("web", { image: "web:3", config: { level: "3" } }) },
    { at: 37_000, patch: at(Application, "switched"), with: { spec: { runToCompletion: false, replicas: 3 } } },
    { at: 40_000, patch: at(Application, "web"), with: { spec: { ports: [{ port: 81 }], config: null } } },
  ],
  actors: [deployments, jobs],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
};
