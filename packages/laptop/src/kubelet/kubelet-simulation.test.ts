import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { createManager, done } from "@gatewright/runtime";
import { addProbed, simulation } from "@gatewright/runtime/simulation";
import type { GroupVersionObject, Program, Scenario, Violation } from "@gatewright/runtime/simulation";
import { simulatedContainers } from "../containers/simulated-containers.ts";
import { createClusterNetwork } from "../network/create-cluster-network.ts";
import { kubelet } from "./kubelet.ts";
import { laptopNode } from "./node/laptop-node.ts";
import { nodes } from "./node/nodes.ts";
import { scheduler } from "./node/scheduler.ts";

const SEEDS = 12;

const program: Program = ({ transport, clock, random, log, probe }) => {
  const manager = createManager({ name: "laptop", transport, clock, random, log });
  const node = laptopNode();
  const runtimes = [simulatedContainers({ clock })];
  const registration = nodes(node);
  const reconcile: typeof registration.reconcile = async (context) => {
    await registration.reconcile(context);
    return done(); // a lease that is renewed for ever leaves no moment at which the world is quiet
  };
  addProbed(probe, manager, { ...registration, reconcile });
  addProbed(probe, manager, scheduler(node));
  addProbed(probe, manager, kubelet({ node, runtimes, ports: createClusterNetwork(), clock, random }).controller);
  return manager;
};

const pod = (name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default" },
  spec: { containers: [{ name: "main", image: "nginx" }], ...spec },
});
const late: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "late", namespace: "default" },
  data: { a: "1" },
};
const at = (name: string): GroupVersionObject => ({ ...core.Pod, namespace: "default", name });

/** Pods come, are told apart from namesakes, and go. At the end there are none: how often they were restarted depends on the faults. */
const scenario: Scenario = {
  name: "kubelet",
  about: "a node whose process dies, stalls and is cut off while pods come and go",
  before: [{ apiVersion: "v1", kind: "Node", metadata: { name: "laptop" } }],
  steps: [
    { at: 1_000, create: pod("a") },
    {
      at: 1_500,
      create: pod("b", {
        initContainers: [
          { name: "first", image: "busybox" },
          { name: "beside", image: "envoy", restartPolicy: "Always" },
        ],
      }),
    },
    { at: 2_000, create: pod("pulls", { containers: [{ name: "main", image: "app:missing" }] }) },
    {
      at: 4_000,
      create: pod("waits", {
        containers: [{ name: "main", image: "nginx", envFrom: [{ configMapRef: { name: "late" } }] }],
      }),
    },
    { at: 9_000, delete: at("a") },
    { at: 12_000, create: pod("a") },
    { at: 14_000, create: late },
    { at: 18_000, delete: at("b") },
    { at: 22_000, delete: at("pulls") },
    { at: 30_000, delete: at("a") },
    { at: 31_000, delete: at("waits") },
  ],
  processes: [{ name: "node", program }],
};

/** The Node object is the node's own: it is filled in, and stays. */
const wrong = (violations: readonly Violation[]): readonly Violation[] =>
  violations.filter(({ what }) => !what.startsWith("nodes laptop, "));

test("whatever happens to its process and its requests, the node lets go of every pod that was deleted, and then rests", async () => {
  const world = await simulation(scenario);
  assert.deepEqual(wrong(world.verdict.violations), []);
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations, hash } = await world.seed(seed);
    assert.deepEqual(wrong(violations), [], `seed ${seed}`);
    if (seed === 1) assert.equal((await world.seed(seed)).hash, hash, "the same seed, the same run");
  }
});
