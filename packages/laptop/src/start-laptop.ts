import { join } from "node:path";
import { createAws, createBudgets, createHttpSend } from "@gatewright/aws";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer, ApiServerOptions, ServerLog } from "@gatewright/apiserver";
import {
  applications,
  createEventApi,
  createEventHistory,
  createRecorder,
  eventPaths,
  openEventHistory,
  reviewedAccess,
} from "@gatewright/applications";
import { CONSOLE_PATH, consolePaths, createConsole } from "@gatewright/console";
import { hostnames, resolverDns } from "@gatewright/hostnames";
import { createTenantSend, infra } from "@gatewright/infra";
import { LAPTOP_KEY, startLocalCloud } from "@gatewright/local-aws";
import type { LocalCloud, LocalCloudOptions } from "@gatewright/local-aws";
import { crdOf } from "@gatewright/kube/define/manifests";
import type { Clock, Random } from "@gatewright/ports";
import { allResources, Application, gatewayResources } from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";
import { builtInContainers } from "./containers/built-in/built-in-containers.ts";
import type { ContainerRuntime } from "./containers/container-runtime.ts";
import { hostProcesses } from "./containers/host/host-processes.ts";
import { readImageCommands } from "./containers/host/image-commands.ts";
import { simulatedContainers } from "./containers/simulated-containers.ts";
import { installDefinitions } from "./install-definitions.ts";
import { installEdge } from "./install-edge.ts";
import { kubelet } from "./kubelet/kubelet.ts";
import { laptopNode } from "./kubelet/node/laptop-node.ts";
import { nodes } from "./kubelet/node/nodes.ts";
import { scheduler } from "./kubelet/node/scheduler.ts";
import { loadBalancers } from "./load-balancers/load-balancers.ts";
import { managerLog } from "./manager-log.ts";
import { INGRESSES, laptopRouting } from "./routing/laptop-routing.ts";
import type { LaptopRouting } from "./routing/laptop-routing.ts";
import { createClusterNetwork } from "./network/create-cluster-network.ts";
import { endpoints } from "./services/endpoints.ts";
import { endpointSlices } from "./services/endpoint-slices.ts";
import { tellWorld } from "./tell-world.ts";
import { deployments, jobs, replicaSets } from "./workloads/index.ts";

export interface LaptopOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: ServerLog;
  /** Where AWS and the history of events are kept. Default: nowhere, they end with the process. */
  readonly folder?: string;
  /** What the API server needs beside: its store, its callers. */
  readonly server?: Omit<ApiServerOptions, "clock" | "random" | "log" | "nodes" | "paths" | "forgiving" | "checks">;
  /**
   * A file that maps images to commands of this machine, which then run as processes with the rights of this one. Needs a folder, and
   * an API server whose every caller is the local admin. Default: none.
   */
  readonly hostProcesses?: string;
  /** Where routes and Ingresses are served, and where to clients of gRPC beside it. Default: on no port: nothing is. */
  readonly gateway?: { readonly host?: string; readonly port: number; readonly grpcPort?: number };
  /** Serves the console at `/console/`; `root` is the folder of the workspace. Default: a page that names the paths. */
  readonly console?: { readonly root: string };
  /** Where AWS and DNS are served, how fast AWS is. */
  readonly cloud?: Pick<LocalCloudOptions, "api" | "dns" | "pace" | "elb" | "limits">;
  /** Hosted zones that are there from the start, by their ids. Default: none. */
  readonly zones?: ReadonlyMap<string, string>;
}

/** A cluster and its cloud on one machine: what `gatewright up` runs. */
export interface Laptop extends AsyncDisposable {
  readonly server: ApiServer;
  readonly cloud: LocalCloud;
  /** Where routes and Ingresses are served; undefined when nothing is. */
  readonly gateway: Pick<LaptopRouting, "url" | "grpc" | "admin" | "close"> | undefined;
  /** What is not ready yet, or not any more. */
  problems(): readonly string[];
  /** Ends everything: containers are stopped, what is stored stays. */
  close(): Promise<void>;
}

const NAME = "gatewright";
const REGION = "us-east-1";
const CLUSTER = "laptop";
/** Who stops a laptop waits for it. */
const GRACE_MS = 3_000;
/** A port of a pod at which nobody listens: outside of this machine its address is somebody else's. */
const NOWHERE = { host: "127.0.0.1", port: 1 };
/** Load balancers are there within seconds, and whoever waits for one is watching. */
const BALANCER_PACE = { provisioningMs: 1_000, refusedMs: 5_000 };
/** Changes are few, and whoever makes one is watching; the local DNS is asked by those who know that it changes fast. */
const HOSTNAMES = {
  settings: { cluster: CLUSTER, bundleMs: 200, flushMs: 200, drainMs: 2_000 },
  pace: {
    zones: { flushMs: 50, pollMs: 500, pollMostMs: 1_000, refusedMs: 5_000 },
    certificates: { sweepMs: 500, firstLookMs: 200 },
  },
};
const ABOUT = {
  name: NAME,
  version: "0.1.0",
  description: "A Kubernetes cluster and AWS on this machine, and controllers that run applications on them",
};

/**
 * Starts the local world: the API server, AWS, the stand-ins for what a cluster has (workload controllers, a node with its kubelet,
 * load balancers), and our own controllers. Nobody can reach the API server before it is told to listen.
 */
export async function startLaptop(options: LaptopOptions): Promise<Laptop> {
  const { clock, random, log, folder } = options;
  const ports = { clock, random };
  const warn = (message: string, fields: Readonly<Record<string, unknown>>): void => log("warn", message, fields);
  await using started = new AsyncDisposableStack();
  const stopping = new AbortController();

  const node = laptopNode();
  const network = createClusterNetwork({ nodeIPs: [node.address] });
  const pods = kubelet({
    node,
    runtimes: [...(await commandsOf(options, stopping.signal)), builtInContainers(ports), simulatedContainers(ports)],
    ports: network,
    ...ports,
  });

  // The server tells of events and of pods, and those who know of them are its clients.
  const transport: Transport = (request) => server.transport(undefined, { answersFirst: true })(request);
  const client = createClient(transport, { fieldManager: NAME, ...ports });
  const history =
    folder === undefined
      ? await createEventHistory(ports)
      : await openEventHistory({ directory: join(folder, "history"), ...ports, log: warn });
  started.defer(() => history.close());
  const told = [Application] as const;
  const api = createEventApi({ resources: told, history, access: reviewedAccess({ client, clock }), clock });
  const paths = eventPaths({
    api,
    about: ABOUT,
    resources: told,
    crdOf,
    ...(options.console && { console: { home: CONSOLE_PATH } }),
  });
  const console =
    options.console &&
    createConsole({
      ...ports,
      ...options.console,
      ingress: INGRESSES,
      fault: (error) => log("error", "A fault of the console", { error }),
    });
  const server = await createApiServer({
    ...options.server,
    ...ports,
    log,
    nodes: pods.nodeAccess,
    paths: {
      ...paths,
      served: [...paths.served, ...(console ? consolePaths(console, (caller) => server.transport(caller)) : [])],
    },
    forgiving: [{ group: Application.group, resource: Application.plural }],
    checks: [{ name: "world", readinessOnly: true, problem: () => problems().join("; ") || undefined }],
  });
  started.defer(() => server.close());

  const cloud = await startLocalCloud({
    ...options.cloud,
    ...ports,
    ...(folder !== undefined && { folder: join(folder, "aws") }),
    zones: Array.from(options.zones ?? [], ([id, name]) => ({ id, name, account: LAPTOP_KEY.account })),
    targetAddress: (target, port) =>
      network.resolve(target === node.instanceId ? node.address : target, port) ??
      (network.isPod(target) ? NOWHERE : undefined),
    onFault: (error, where) => log("error", "A fault of the local AWS", { error, where }),
  });
  started.defer(() => cloud.close());
  const http = createHttpSend();
  started.defer(() => http.close());
  const aws = createAws({
    ...ports,
    region: REGION,
    endpoint: cloud.url,
    credentials: async () => LAPTOP_KEY,
    send: http.send,
    budgets: createBudgets(clock),
  });

  const manager = createManager({ name: NAME, transport, ...ports, log: managerLog(log), graceMs: GRACE_MS });
  network.follow(manager.cache);
  const recorder = createRecorder({ client, resources: told, history, clock, log: managerLog(log) });
  manager.addRunnable(recorder);
  manager.addCheck(recorder.check);
  manager.add(nodes(node));
  manager.add(scheduler(node));
  manager.add(pods.controller);
  manager.add(deployments());
  manager.add(replicaSets());
  manager.add(jobs());

  manager.add(endpointSlices(manager.cache));
  manager.add(endpoints(manager.cache));
  for (const controller of Object.values(loadBalancers({ aws, clock, ...BALANCER_PACE }))) manager.add(controller);
  manager.add(applications({ watchAll: true, expose: true }));
  const { requests, claims, pool, grants, runnables } = hostnames({
    aws,
    ...ports,
    ...HOSTNAMES,
    dns: resolverDns({ servers: [`${cloud.dns.host}:${cloud.dns.port}`] }),
  });
  for (const runnable of runnables) manager.addRunnable(runnable);
  manager.add(requests);
  manager.add(claims);
  manager.add(pool);
  manager.add(grants);

  // Who is on this machine may name any endpoint of it.
  const loopbackEndpoints = true;
  const tenants = createTenantSend({ loopbackEndpoints });
  started.defer(() => tenants.close());
  const { providers, resources } = infra({
    ...ports,
    send: http.send,
    tenantSend: tenants.send,
    endpoint: cloud.url,
    credentials: async () => LAPTOP_KEY,
    settings: { cluster: CLUSTER },
    providers: { loopbackEndpoints },
  });
  manager.add(providers);
  for (const resource of resources) manager.add(resource);

  const routing =
    options.gateway &&
    laptopRouting(manager, {
      ...ports,
      log: managerLog(log),
      network,
      gateway: { host: "127.0.0.1", ...options.gateway },
      ...(folder !== undefined && { folder: join(folder, "gateway") }),
    });
  let served = false;
  function problems(): readonly string[] {
    const known = manager.health("ready");
    const wrong = known.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
    return served ? wrong : ["starting", ...wrong];
  }
  await installDefinitions(client, NAME, [...allResources, ...gatewayResources], stopping.signal);
  // Until they are served, those who follow them would be told that there is no such kind.
  await server.idle();
  await installEdge(client, stopping.signal);
  await tellWorld(client, cloud, stopping.signal);
  await routing?.install(stopping.signal);
  const running = manager.run(stopping.signal);
  started.defer(async () => {
    stopping.abort();
    await running;
  });
  const gateway = await routing?.start(stopping.signal);
  started.defer(() => gateway?.close());

  served = true;
  const all = started.move();
  const close = (): Promise<void> => all.disposeAsync();
  return {
    server,
    cloud,
    gateway,
    problems,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function commandsOf(options: LaptopOptions, signal: AbortSignal): Promise<readonly ContainerRuntime[]> {
  const { clock, folder, hostProcesses: file, server } = options;
  if (file === undefined) return [];
  if (folder === undefined)
    throw new TypeError("host processes need a folder, in which it is noted which ones there are");
  const commands = await readImageCommands(file, signal);
  const access = server?.access ?? "loopback";
  return [await hostProcesses({ clock, commands, folder: join(folder, "containers"), access }, signal)];
}
