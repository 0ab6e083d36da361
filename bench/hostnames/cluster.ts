import { createApiServer } from "@gatewright/apiserver";
import type { Aws } from "@gatewright/aws";
import { hostnames } from "@gatewright/hostnames";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { seededRandom } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import {
  DomainClaim,
  Gateway,
  GatewayClass,
  GatewayHostnameRequest,
  gatewayResources,
  HostnameGrant,
  LoadBalancerConfiguration,
} from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import type { Balancer } from "./naive.ts";
import { zoneOf } from "./virtual-cloud.ts";

export const EDGE = "edge";
/** Hostnames of one team, which has a namespace. */
const TEAM_SIZE = 100;
/** How long AWS takes for a new load balancer, and for a change of one. */
const PROVISION_MS = 120_000;
const CHANGE_MS = 5_000;

/** An API server with the controllers of hostnames, in memory and on virtual time. */
export interface Cluster {
  readonly client: Client;
  /** Requests of the controllers so far. */
  requests(): number;
  busy(): boolean;
  stop(): Promise<void>;
}

/** How many hostnames there will be, and how many names the account lets a certificate have. */
export interface Fleet {
  readonly count: number;
  readonly namesPerCertificate: number;
}

export async function startCluster(
  clock: Clock,
  aws: Aws,
  balancer: (name: string) => Promise<Balancer>,
  { count, namesPerCertificate }: Fleet,
): Promise<Cluster> {
  const teams = Array.from({ length: Math.floor(count / TEAM_SIZE) + 1 }, (_, index) => teamOf(index * TEAM_SIZE));
  const server = await createApiServer({ clock, random: seededRandom(3) });
  const inner = server.transport();
  let [under, made] = [0, 0];
  const counted: Transport = async (request) => {
    if (request.path.includes("watch=")) return inner(request);
    under++;
    made++;
    try {
      return await inner(request);
    } finally {
      under--;
    }
  };
  const client = createClient(inner, { clock, random: seededRandom(4), fieldManager: "bench" });
  const ours = [GatewayHostnameRequest, DomainClaim, HostnameGrant];
  for (const kind of [...ours, ...gatewayResources])
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind, { check: false }));
  await server.idle();
  for (const name of [EDGE, ...teams]) await client.for(core.Namespace).apply({ metadata: { name } });
  await client.for(GatewayClass).apply({
    metadata: { name: "aws-alb" },
    spec: { controllerName: "gateway.k8s.aws/alb" },
  });

  const manager = createManager({ name: "bench", transport: counted, clock, random: seededRandom(5) });
  const { requests, claims, pool, grants, runnables } = hostnames({
    aws,
    clock,
    random: seededRandom(6),
    settings: { namesPerCertificate },
  });
  for (const runnable of runnables) manager.addRunnable(runnable);
  manager.add(requests);
  manager.add(claims);
  manager.add(pool);
  manager.add(grants);
  const stopping = new AbortController();
  const playing = playController(client, clock, balancer, stopping.signal);
  const running = manager.run(stopping.signal);
  return {
    client,
    requests: () => made,
    busy: () => under > 0,
    async stop() {
      stopping.abort();
      await Promise.all([running, playing]);
      await server.close();
    },
  };
}

function teamOf(index: number): string {
  return `team-${Math.floor(index / TEAM_SIZE)}`;
}

export function hostnameOf(index: number): string {
  return `h${index}.${zoneOf(index).name}`;
}

/** The request for one hostname of the fleet. */
export function hostnameRequest(index: number) {
  const hostname = hostnameOf(index);
  return {
    metadata: { namespace: teamOf(index), name: hostname },
    spec: {
      zoneId: zoneOf(index).id,
      hostname,
      visibility: "internet-facing" as const,
      gatewayClass: "aws-alb",
      deletionPolicy: "Delete" as const,
      certificate: { strategy: "Bundle" as const, keyAlgorithm: "EC_prime256v1" as const },
    },
  };
}

/** Names of hostnames that are live, as they become so. */
export async function followReady(client: Client, ready: Set<string>, signal: AbortSignal): Promise<void> {
  for await (const event of client.for(GatewayHostnameRequest).watch({ signal })) {
    if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
    const { object } = event;
    const live = object.status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") === true;
    if (live) ready.add(object.spec.hostname);
    else ready.delete(object.spec.hostname);
  }
}

/** The AWS Load Balancer Controller's part: a load balancer for each Gateway, and statuses a while after each change. */
async function playController(
  client: Client,
  clock: Clock,
  balancer: (name: string) => Promise<Balancer>,
  signal: AbortSignal,
): Promise<void> {
  const addresses = new Map<string, string>();
  const pending = new Set<string>();
  const react = async (name: string): Promise<void> => {
    pending.delete(name);
    const ref = { namespace: EDGE, name };
    const gateway = await client.for(Gateway).find(ref, { signal });
    if (gateway === undefined) return;
    const address = addresses.get(name) ?? (await balancer(name)).dnsName;
    addresses.set(name, address);
    const { generation = 0, creationTimestamp = "" } = gateway.metadata;
    const conditions = ["Accepted", "Programmed"].map((type) => ({
      type,
      status: "True" as const,
      reason: type,
      message: "",
      observedGeneration: generation,
      lastTransitionTime: creationTimestamp,
    }));
    const listeners = gateway.spec.listeners.map((listener) => ({
      name: listener.name,
      attachedRoutes: 0,
      supportedKinds: [],
      conditions,
    }));
    const status = { addresses: [{ type: "Hostname", value: address }], conditions, listeners };
    await client.for(Gateway).status.patch(ref, { merge: { status } }, { signal });
    const configurations = client.for(LoadBalancerConfiguration);
    const settings = await configurations.find({ namespace: EDGE, name: `${name}-config` }, { signal });
    if (settings === undefined) return;
    const observed = { observedGatewayConfigurationGeneration: settings.metadata.generation };
    await configurations.status.patch(
      { namespace: EDGE, name: `${name}-config` },
      { merge: { status: observed } },
      { signal },
    );
  };
  const soon = (name: string): void => {
    if (pending.has(name)) return;
    pending.add(name);
    clock.timer(addresses.has(name) ? CHANGE_MS : PROVISION_MS, () => {
      if (!signal.aborted) void react(name);
    });
  };
  const follow = async (): Promise<void> => {
    for await (const event of client.for(Gateway).watch({ namespace: EDGE, signal })) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { metadata, status } = event.object;
      const programmed = status?.conditions?.find((each) => each.type === "Programmed");
      if (programmed?.observedGeneration !== metadata.generation) soon(metadata.name ?? "");
    }
  };
  const followSettings = async (): Promise<void> => {
    for await (const event of client.for(LoadBalancerConfiguration).watch({ namespace: EDGE, signal })) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      const { object } = event;
      if (object.status?.observedGatewayConfigurationGeneration !== object.metadata.generation)
        soon((object.metadata.name ?? "").replace(/-config$/, ""));
    }
  };
  const ended = (error: unknown): void => {
    if (!signal.aborted) throw error;
  };
  await Promise.all([follow().catch(ended), followSettings().catch(ended)]);
}
