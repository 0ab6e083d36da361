import { after, before, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { core, discovery } from "@gatewright/kube/api";
import { createClient, createManager, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { endpointSlices } from "../../../packages/laptop/src/services/endpoint-slices.ts";
import { endpoints } from "../../../packages/laptop/src/services/endpoints.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { endpointFacts } from "./endpoint-facts.ts";

const kube = realKube();
const NAMESPACE = "service-stories";
const NODE = "service-stories";

const service = (name: string, spec: Partial<core.ServiceSpec> = {}, labels: Record<string, string> = {}) => ({
  metadata: { namespace: NAMESPACE, name, labels },
  spec: { selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: "web" }], ...spec },
});

async function addPod(client: Client, name: string, ip: string, more: Partial<core.PodSpec> = {}): Promise<void> {
  const labels = { app: name.split("-")[0] ?? "" };
  const containers = [{ name: "c", image: "i", ports: [{ name: "web", containerPort: 8080 }] }];
  const spec = { nodeName: NODE, automountServiceAccountToken: false, containers, ...more };
  await client.for(core.Pod).create({ metadata: { namespace: NAMESPACE, name, labels }, spec });
  const status = { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions: [{ type: "Ready", status: "True" }] };
  await client.for(core.Pod).status.patch(at(name), { merge: { status } });
}

const at = (name: string) => ({ namespace: NAMESPACE, name });

const setReady = (client: Client, name: string, status: "True" | "False") =>
  client.for(core.Pod).status.patch(at(name), { merge: { status: { conditions: [{ type: "Ready", status }] } } });

/** What a user and a node do, one after the other; after each of them both worlds must come to the same. */
const STEPS: readonly { readonly name: string; do(client: Client): Promise<unknown> }[] = [
  { name: "a Service without pods", do: (c) => c.for(core.Service).create(service("web", {}, { team: "a" })) },
  { name: "a pod that is ready", do: (c) => addPod(c, "web-1", "10.244.9.1") },
  {
    name: "a pod with another port of that name, and a hostname",
    do: (c) =>
      addPod(c, "web-2", "10.244.9.2", {
        hostname: "two",
        subdomain: "web",
        containers: [{ name: "c", image: "i", ports: [{ name: "web", containerPort: 9090 }] }],
      }),
  },
  {
    name: "a pod without a port of that name",
    do: (c) => addPod(c, "web-3", "10.244.9.3", { containers: [{ name: "c", image: "i" }] }),
  },
  {
    name: "a sidecar with the port",
    do: (c) =>
      addPod(c, "web-4", "10.244.9.4", {
        containers: [{ name: "c", image: "i" }],
        initContainers: [
          { name: "s", image: "i", restartPolicy: "Always", ports: [{ name: "web", containerPort: 7070 }] },
        ],
      }),
  },
  { name: "a pod that is no longer ready", do: (c) => setReady(c, "web-1", "False") },
  { name: "a pod that is ready again", do: (c) => setReady(c, "web-1", "True") },
  {
    name: "a headless Service that tells of pods that are not ready",
    do: async (c) => {
      await addPod(c, "all-5", "10.244.9.5");
      await setReady(c, "all-5", "False");
      await c.for(core.Service).create(service("all", { clusterIP: "None", publishNotReadyAddresses: true }));
    },
  },
  {
    name: "a headless Service without ports",
    do: (c) => c.for(core.Service).create(service("bare", { clusterIP: "None", ports: [], selector: { app: "all" } })),
  },
  {
    name: "several ports, numbers and protocols",
    do: (c) =>
      c.for(core.Service).create(
        service("many", {
          selector: { app: "web" },
          ports: [
            { name: "a", port: 80, targetPort: "web", appProtocol: "kubernetes.io/h2c" },
            { name: "b", port: 81 },
            { name: "dns", port: 53, targetPort: 5353, protocol: "UDP" },
          ],
        }),
      ),
  },
  { name: "a pod that is being deleted", do: (c) => c.for(core.Pod).delete(at("web-1"), { gracePeriodSeconds: 300 }) },
  {
    name: "a pod that has ended",
    do: (c) => {
      const status = { phase: "Succeeded", conditions: [{ type: "Ready", status: "False" }] };
      return c.for(core.Pod).status.patch(at("web-2"), { merge: { status } });
    },
  },
  { name: "a pod that is gone", do: (c) => c.for(core.Pod).delete(at("web-1"), { gracePeriodSeconds: 0 }) },
  {
    name: "a pod with other labels",
    do: (c) => c.for(core.Pod).patch(at("web-4"), { merge: { metadata: { labels: { app: "all" } } } }),
  },
  {
    name: "a Service with other labels and another selector",
    do: (c) =>
      c
        .for(core.Service)
        .patch(at("web"), { merge: { metadata: { labels: { team: "b" } }, spec: { selector: { app: "all" } } } }),
  },
  {
    name: "a Service without a selector",
    do: (c) => c.for(core.Service).create(service("manual", { selector: {} })),
  },
  { name: "a Service that goes", do: (c) => c.for(core.Service).delete(at("many")) },
];

suite("endpoints beside kube-controller-manager", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  const stop = new AbortController();
  const clients: Client[] = [];
  let close = async (): Promise<void> => {};

  before(async () => {
    const server = await createApiServer();
    const manager = createManager({ name: "services", transport: server.transport() });
    manager.add(endpointSlices(manager.cache));
    manager.add(endpoints(manager.cache));
    const running = manager.run(stop.signal);
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    close = async () => {
      await running;
      await server.close();
      transport.close();
    };
    clients.push(createClient(transport), createClient(server.transport()));
    for (const client of clients) {
      await client.for(core.Namespace).create({ metadata: { name: NAMESPACE } });
      await client.for(core.Node).create({ metadata: { name: NODE } });
      const account = () => client.for(core.ServiceAccount).find(at("default"));
      await eventually("the service account", account, (found) => found !== undefined);
    }
  });

  after(async () => {
    for (const client of clients) {
      await client.for(core.Pod).deleteAll({ namespace: NAMESPACE, gracePeriodSeconds: 0 });
      await client.for(core.Namespace).delete({ name: NAMESPACE });
      await client.for(core.Node).delete({ name: NODE });
    }
    stop.abort();
    await close();
  });

  const look = async (client: Client): Promise<string> => {
    const [slices, objects] = await Promise.all([
      client.for(discovery.EndpointSlice).list({ namespace: NAMESPACE }),
      client.for(core.Endpoints).list({ namespace: NAMESPACE }),
    ]);
    return endpointFacts(slices.items, objects.items);
  };

  for (const step of STEPS) {
    test(`${step.name}: it comes to the same`, async () => {
      const before = await Promise.all(clients.map(look));
      await Promise.all(clients.map((client) => step.do(client)));
      await eventually(
        `the same endpoints after: ${step.name}`,
        () => Promise.all(clients.map(look)),
        ([real, ours]) => real === ours && (real !== before[0] || step.name === "a Service without a selector"),
      );
    });
  }
});
