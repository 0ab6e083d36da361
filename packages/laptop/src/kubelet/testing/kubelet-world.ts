import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer, Store } from "@gatewright/apiserver";
import type { Immutable } from "@gatewright/kube";
import { core, events } from "@gatewright/kube/api";
import { ManualClock, nextTurn, seededRandom, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { builtInContainers } from "../../containers/built-in/built-in-containers.ts";
import type { ContainerRuntime } from "../../containers/container-runtime.ts";
import { simulatedContainers } from "../../containers/simulated-containers.ts";
import type { Address } from "../../network/cluster-network.ts";
import { createClusterNetwork } from "../../network/create-cluster-network.ts";
import { kubelet } from "../kubelet.ts";
import type { Kubelet } from "../kubelet.ts";
import { laptopNode } from "../node/laptop-node.ts";
import type { LaptopNode } from "../node/laptop-node.ts";
import { nodes } from "../node/nodes.ts";
import { scheduler } from "../node/scheduler.ts";

export type Pod = Immutable<core.Pod>;

export interface KubeletWorldOptions {
  readonly clock?: Clock;
  readonly node?: LaptopNode;
  readonly store?: Store;
  readonly runtimes?: readonly ContainerRuntime[];
}

/** An API server with a node on which pods run. */
export interface KubeletWorld {
  readonly server: ApiServer;
  readonly client: Client;
  readonly kubelet: Kubelet;
  /** `PATCH pods/status` and the like, as they reached the server. */
  readonly writes: string[];
  run(spec: Partial<core.PodSpec>, metadata?: core.Pod["metadata"]): Promise<Pod>;
  get(name: string): Promise<Pod | undefined>;
  /** Waits, on a manual clock by letting time pass, until a pod is as it should be. */
  until(what: string, name: string, holds: (pod: Pod | undefined) => boolean): Promise<Pod>;
  settle(what: string, holds: () => boolean | Promise<boolean>): Promise<void>;
  /** Reasons and notes of the events about a pod, in the order of time. */
  eventsOf(name: string): Promise<readonly string[]>;
  addressOf(pod: Pod, port: number): Address;
  /** The node's process stops, or is killed: the server goes on. */
  stopNode(): Promise<void>;
  /** A new process of the node. */
  startNode(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const LONGEST_MS = 20_000;
const STEP_MS = 250;

export async function createKubeletWorld(options: KubeletWorldOptions = {}): Promise<KubeletWorld> {
  const clock = options.clock ?? systemClock;
  const random = seededRandom(3);
  const network = createClusterNetwork();
  const node = options.node ?? laptopNode();
  const runtimes = options.runtimes ?? [builtInContainers({ clock }), simulatedContainers({ clock })];
  let current: Kubelet | undefined;
  const server = await createApiServer({
    clock,
    random: seededRandom(4),
    ...(options.store !== undefined && { store: options.store }),
    nodes: {
      logs: (...asked) => world.kubelet.nodeAccess.logs(...asked),
      connect: (...asked) => world.kubelet.nodeAccess.connect(...asked),
    },
  });
  const client = createClient(server.transport(), { clock, random, fieldManager: "test" });
  const writes: string[] = [];
  const stops: (() => Promise<void>)[] = [];

  const startNode = (): void => {
    const inner = server.transport();
    const manager = createManager({
      name: "laptop",
      clock,
      random,
      transport: (request) => {
        const path = request.path.split("?")[0] ?? "";
        if (request.method !== "GET" && path.includes("/pods/"))
          writes.push(`${request.method} ${path.split("/pods/")[1]}`);
        return inner(request);
      },
    });
    current = kubelet({ node, runtimes, ports: network, clock, random });
    manager.add(nodes(node));
    manager.add(scheduler(node));
    manager.add(current.controller);
    const stopping = new AbortController();
    const ended = manager.run(stopping.signal);
    stops.push(async () => {
      stopping.abort();
      let over = false;
      void ended.finally(() => (over = true));
      while (!over) await pass();
    });
  };

  const pass = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await nextTurn();
    if (clock instanceof ManualClock) clock.advance(STEP_MS);
    else await new Promise((resolve) => setTimeout(resolve, 5));
  };

  const world: KubeletWorld = {
    server,
    client,
    writes,
    get kubelet() {
      if (current === undefined) throw new Error("the node was not started");
      return current;
    },
    async run(spec, metadata) {
      const whole = { containers: [{ name: "main", image: "gatewright/echo" }], ...spec };
      return client.for(core.Pod).create({ metadata: { namespace: "default", ...metadata }, spec: whole });
    },
    get: (name) => client.for(core.Pod).find({ namespace: "default", name }),
    async until(what, name, holds) {
      let pod: Pod | undefined;
      await world
        .settle(what, async () => {
          pod = await world.get(name);
          return holds(pod);
        })
        .catch((error: unknown) => {
          throw new Error(`${String(error)}: ${JSON.stringify(pod?.status, undefined, 1)}`);
        });
      return pod as Pod;
    },
    async settle(what, holds) {
      const end = systemClock.monotonic() + LONGEST_MS;
      while (!(await holds())) {
        if (systemClock.monotonic() > end) throw new Error(`it never came true that ${what}`);
        await pass();
      }
    },
    async eventsOf(name) {
      for (let i = 0; i < 5; i++) await pass();
      const { items } = await client.for(events.Event).list({ namespace: "default" });
      return items
        .filter(({ regarding }) => regarding?.name === name)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason = "", note = "" }) => `${reason}: ${note}`);
    },
    addressOf(pod, port) {
      const address = network.resolve(pod.status?.podIP ?? "", port);
      if (address === undefined) throw new Error(`nothing listens at ${pod.status?.podIP}:${port}`);
      return address;
    },
    startNode,
    async stopNode() {
      await stops.pop()?.();
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) await stop();
      await server.close();
    },
  };
  startNode();
  return world;
}

/** Whether a condition of a pod is true. */
export function is(pod: Pod | undefined, type: string): boolean {
  return pod?.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}

/** What the first container of a pod waits for. */
export function waitsFor(pod: Pod | undefined): string | undefined {
  return pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
}
