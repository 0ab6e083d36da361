import { createApiServer } from "@gatewright/apiserver";
import type { Immutable } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { sleep, systemClock } from "@gatewright/ports";
import { createManager } from "@gatewright/runtime";
import type { Client, Manager } from "@gatewright/runtime";
import { endpointSlices } from "../endpoint-slices.ts";
import { endpoints } from "../endpoints.ts";

/** An API server with the controllers of Services, and the namespace `shop`. */
export interface ServiceWorld {
  readonly client: Client;
  readonly manager: Manager;
  /** Methods of writes to endpoints, oldest first: `POST endpointslices`. */
  readonly writes: string[];
  createService(name: string, spec?: Partial<core.ServiceSpec>, labels?: Record<string, string>): Promise<void>;
  /** A pod that a kubelet brought to this state. */
  createPod(name: string, state?: PodState): Promise<Immutable<core.Pod>>;
  setReady(name: string, ready: boolean): Promise<void>;
  slices(service: string): Promise<readonly Immutable<discovery.EndpointSlice>[]>;
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>;
}

export interface PodState {
  readonly ip?: string;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly labels?: Record<string, string>;
  readonly ports?: core.ContainerPort[];
  readonly node?: string;
}

/** Runs until the test ends. */
export async function serviceWorld(t: { after(stop: () => Promise<void>): void }): Promise<ServiceWorld> {
  const server = await createApiServer();
  const writes: string[] = [];
  const inner = server.transport();
  const manager = createManager({
    name: "services",
    transport: (request) => {
      const [, resource = ""] = /\/(endpoints|endpointslices)\b/.exec(request.path) ?? [];
      if (request.method !== "GET") writes.push(`${request.method} ${resource}`);
      return inner(request);
    },
  });
  manager.add(endpointSlices(manager.cache));
  manager.add(endpoints(manager.cache));
  const stop = new AbortController();
  const ended = manager.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await ended;
    await server.close();
  });
  const client = manager.ungated.with({ fieldManager: "test" });
  const { cluster } = server;
  await cluster.create(
    { group: "", resource: "namespaces" },
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "shop" },
    },
  );
  const pods = client.for(core.Pod);
  const ready = (value: boolean): core.PodCondition[] => [{ type: "Ready", status: value ? "True" : "False" }];
  return {
    client,
    manager,
    writes,
    async createService(name, spec = {}, labels = {}) {
      const ports = [{ name: "http", port: 80, targetPort: "web" }];
      await client
        .for(core.Service)
        .create({ metadata: { namespace: "shop", name, labels }, spec: { selector: { app: name }, ports, ...spec } });
    },
    async createPod(name, { ip, ready: isReady = true, phase = "Running", labels = { app: "web" }, ports, node } = {}) {
      const container = { name: "c", image: "i", ports: ports ?? [{ name: "web", containerPort: 8080 }] };
      await pods.create({
        metadata: { namespace: "shop", name, labels },
        spec: { containers: [container], nodeName: node ?? "laptop" },
      });
      const status = { phase, conditions: ready(isReady), ...(ip !== undefined && { podIP: ip, podIPs: [{ ip }] }) };
      return pods.status.patch({ namespace: "shop", name }, { merge: { status } });
    },
    async setReady(name, value) {
      await pods.status.patch({ namespace: "shop", name }, { merge: { status: { conditions: ready(value) } } });
    },
    async slices(service) {
      const labelSelector = `kubernetes.io/service-name=${service}`;
      return (await client.for(discovery.EndpointSlice).list({ namespace: "shop", labelSelector })).items;
    },
    async until(what, holds) {
      const end = systemClock.monotonic() + 5_000;
      while (!(await holds())) {
        if (systemClock.monotonic() > end) throw new Error(`it never came true that ${what}`);
        await sleep(systemClock, 5, stop.signal);
      }
    },
  };
}
