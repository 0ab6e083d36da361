import { getPath, isObject } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { apps, batch } from "@gatewright/kube/api";
import type { core } from "@gatewright/kube/api";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, Law, Program, Scenario, Step } from "@gatewright/runtime/simulation";
import { replicaSetName, templateHash } from "../../packages/laptop/src/workloads/deployments/template-hash.ts";
import { deployments, jobs, replicaSets } from "../../packages/laptop/src/workloads/index.ts";

const LEASE = { namespace: "shop", name: "workloads" };

const program: Program = ({ transport, clock, random, log, identity, probe }) => {
  const manager = createManager({ name: "workloads", transport, clock, random, log, lease: { ...LEASE, identity } });
  addProbed(probe, manager, deployments());
  addProbed(probe, manager, replicaSets());
  addProbed(probe, manager, jobs());
  return manager;
};

/** With everything that the server would fill in, so that the hash is known beforehand. */
const template = (app: string, image: string): core.PodTemplateSpec => ({
  metadata: { labels: { app } },
  spec: {
    containers: [
      {
        name: "main",
        image,
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      },
    ],
    automountServiceAccountToken: false,
    nodeName: "node",
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
  },
});

const deployment = (app: string, replicas: number, strategy: apps.DeploymentStrategy): KubeObject =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: app, namespace: "shop" },
    spec: { replicas, strategy, selector: { matchLabels: { app } }, template: template(app, "run:1") },
  }) as unknown as KubeObject;

const job = (name: string, image: string, spec: Partial<batch.JobSpec>): KubeObject =>
  ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace: "shop" },
    spec: {
      ...spec,
      template: {
        spec: {
          automountServiceAccountToken: false,
          nodeName: "node",
          restartPolicy: "Never",
          containers: [{ name: "main", image }],
        },
      },
    },
  }) as unknown as KubeObject;

const at = (resource: typeof apps.Deployment | typeof batch.Job, name: string) => ({
  ...resource,
  namespace: "shop",
  name,
});

/** Another image, once the ReplicaSet of the one before is there: otherwise a revision could be left out, which is no fault. */
const rollOut = (when: number, app: string, before: string, image: string): readonly Step[] => [
  {
    at: when,
    patch: {
      ...apps.ReplicaSet,
      namespace: "shop",
      name: replicaSetName(app, templateHash(template(app, before))),
    },
    with: { metadata: { annotations: { [`before-${image.replace(":", "-")}`]: "there" } } },
  },
  { at: when + 100, patch: at(apps.Deployment, app), with: { spec: { template: template(app, image) } } },
];

const scale = (when: number, app: string, replicas: number): Step => ({
  at: when,
  patch: at(apps.Deployment, app),
  with: { spec: { replicas } },
});

/** A node: pods start, or end, by their image, and go when they are deleted. */
const node: Actor = {
  name: "node",
  watches: { group: "", resource: "pods" },
  afterMs: 400,
  react(pod) {
    if (pod.metadata.deletionTimestamp !== undefined) return "delete";
    if (getPath(pod, "status", "phase") !== "Pending") return false;
    const image = imageOf(pod);
    const status = isObject(pod["status"]) ? pod["status"] : {};
    if (image.startsWith("succeed")) pod["status"] = { ...status, phase: "Succeeded" };
    else if (image.startsWith("fail")) pod["status"] = { ...status, phase: "Failed" };
    else pod["status"] = { ...status, phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    return true;
  },
};

/** What must hold at every moment, whatever is lost, late or old. */
const law = (): Law => {
  const pods = new Map<string, KubeObject>();
  let rolling = true;
  const active = (app: string): readonly KubeObject[] =>
    [...pods.values()].filter((pod) => appOf(pod) === app && pod.metadata.deletionTimestamp === undefined);
  return (resource, type, object) => {
    if (resource === "deployments.apps" && type === "DELETED" && object.metadata.name === "roll") rolling = false;
    if (resource !== "pods") return undefined;
    const { uid = "" } = object.metadata;
    const before = pods.get(uid);
    if (type === "DELETED") pods.delete(uid);
    else pods.set(uid, object);
    if (appOf(object) === "roll" && rolling) {
      if (active("roll").length > 4) return `roll has ${active("roll").length} pods, which is more than it may`;
      const begins =
        before?.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp !== undefined;
      const ready = active("roll").filter((pod) => getPath(pod, "status", "phase") === "Running").length;
      if (begins && ready < 3) return `roll has ${ready} pods that are ready, which is fewer than it must`;
    }
    const images = new Set([...pods.values()].filter((pod) => appOf(pod) === "flat").map(imageOf));
    return images.size > 1 ? `flat has pods of ${[...images].join(" and ")} together` : undefined;
  };
};

function imageOf(pod: KubeObject): string {
  const containers = getPath(pod, "spec", "containers");
  return String(getPath(Array.isArray(containers) ? containers[0] : undefined, "image"));
}

function appOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.["app"];
}

/** The workload controllers of the laptop with a standby: rollouts, sizes, Jobs. */
export const workloadsScenario: Scenario = {
  name: "workloads",
  about: "Deployments, ReplicaSets and Jobs with a standby: never a pod too many, none counted twice",
  before: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }],
  steps: [
    {
      at: 1_000,
      create: deployment("roll", 3, { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }),
    },
    { at: 2_000, create: deployment("sized", 2, { type: "RollingUpdate" }) },
    { at: 3_000, create: job("good", "succeed:1", { completions: 3, parallelism: 2 }) },
    { at: 5_000, create: deployment("flat", 2, { type: "Recreate" }) },
    ...rollOut(8_000, "roll", "run:1", "run:2"),
    scale(12_000, "sized", 5),
    { at: 14_000, create: job("indexed", "succeed:1", { completions: 3, parallelism: 3, completionMode: "Indexed" }) },
    { at: 16_000, create: job("bad", "fail:1", { backoffLimit: 1 }) },
    ...rollOut(18_000, "flat", "run:1", "run:2"),
    ...rollOut(24_000, "roll", "run:2", "run:1"),
    scale(28_000, "sized", 1),
    { at: 32_000, delete: at(batch.Job, "good") },
    { at: 36_000, create: job("good", "succeed:2", { completions: 2 }) },
  ],
  actors: [node],
  law,
  judgesOwnership: false,
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
};
