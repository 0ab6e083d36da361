import { request } from "node:http";
import type { Agent, IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { core } from "@gatewright/kube/api";
import { startLaptop } from "@gatewright/laptop";
import type { Laptop } from "@gatewright/laptop";
import type { LimitTable } from "@gatewright/local-aws";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { Application, Gateway, GatewayClass, HTTPRoute, LoadBalancerConfiguration } from "@gatewright/resources";
import { TargetGroupConfiguration } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

/** The whole local world in this process, in memory, with ports that nobody else uses. */
export interface LaptopWorld extends AsyncDisposable {
  readonly laptop: Laptop;
  readonly client: Client;
  /** What went wrong in it, as its log tells. */
  readonly faults: readonly string[];
}

export const NAMESPACE = "shop";
/** The load balancer's, of its own loopback address. */
export const PORT = 18_080;

export interface WorldOptions {
  /** Names of hosted zones by their ids. */
  readonly zones?: ReadonlyMap<string, string>;
  /** Whether routes and Ingresses are served. */
  readonly gateway?: boolean;
  /** Rates of AWS. Default: as AWS has them. */
  readonly limits?: LimitTable;
}

export async function laptopWorld(options: WorldOptions = {}): Promise<LaptopWorld> {
  const { zones = new Map(), gateway = false, limits } = options;
  const alive = keepAlive();
  const faults: string[] = [];
  const laptop = await startLaptop({
    clock: systemClock,
    random: systemRandom,
    log: (level, message, fields) => level === "error" && faults.push(inspect({ message, ...fields })),
    cloud: {
      api: { port: 0 },
      dns: { port: 0 },
      pace: { durations: 0.001, lag: false },
      ...(limits !== undefined && { limits }),
    },
    zones,
    ...(gateway && { gateway: { port: 0 } }),
  });
  const client = createClient(laptop.server.transport(), { fieldManager: "test" });
  await client.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
  return {
    laptop,
    client,
    faults,
    async [Symbol.asyncDispose]() {
      await laptop.close();
      alive[Symbol.dispose]();
    },
  };
}

/** An Application of the built-in image, whose version shows in its answers. */
export async function applyApplication(
  client: Client,
  {
    name,
    version,
    strategy = "RollingUpdate" as const,
    replicas = 3,
  }: {
    readonly name: string;
    readonly version: string;
    readonly strategy?: "RollingUpdate" | "Recreate";
    readonly replicas?: number;
  },
): Promise<void> {
  await client.for(Application).apply({
    metadata: { namespace: NAMESPACE, name },
    spec: {
      image: `gatewright/echo:${version}`,
      replicas,
      strategy,
      ports: [{ name: "http", port: 80, targetPort: 8080 }],
    },
  });
}

/** Resolves when the Application says that it is ready as it is wanted now. */
export async function untilReady(client: Client, name: string): Promise<void> {
  await until(`${name} is ready`, async () => {
    const { metadata, status } = await client.for(Application).get({ namespace: NAMESPACE, name });
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "True" && ready.observedGeneration === metadata.generation;
  });
}

/** A public Gateway, and a route from a hostname to a Service. Targets are pods, or ports of nodes. */
export async function publish(
  client: Client,
  hostname: string,
  service: string,
  targetType: "ip" | "instance" = "ip",
): Promise<void> {
  const at = (name: string) => ({ namespace: NAMESPACE, name });
  await client.for(GatewayClass).apply({ metadata: { name: "alb" }, spec: { controllerName: "gateway.k8s.aws/alb" } });
  await client.for(LoadBalancerConfiguration).apply({ metadata: at("edge"), spec: { scheme: "internet-facing" } });
  await client.for(TargetGroupConfiguration).apply({
    metadata: at(service),
    spec: { targetReference: { name: service }, defaultConfiguration: { targetType } },
  });
  await client.for(Gateway).apply({
    metadata: at("edge"),
    spec: {
      gatewayClassName: "alb",
      infrastructure: {
        parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "edge" },
      },
      listeners: [{ name: "http", port: PORT, protocol: "HTTP" }],
    },
  });
  await client.for(HTTPRoute).apply({
    metadata: at(service),
    spec: {
      parentRefs: [{ name: "edge" }],
      hostnames: [hostname],
      rules: [{ backendRefs: [{ name: service, port: 80 }] }],
    },
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request through the load balancer. Rejects when nobody answers. */
export function ask(laptop: Laptop, hostname: string, agent?: Agent): Promise<Answer> {
  const [at] = laptop.cloud.endpoints().filter(({ port }) => port === PORT);
  if (at === undefined) return Promise.reject(new Error("no load balancer listens yet"));
  return new Promise((resolve, reject) => {
    const asked = request({ host: at.host, port: at.port, path: "/hello", headers: { host: hostname }, agent });
    asked.once("error", reject);
    asked.once("response", (answer) => {
      answer.toArray().then((parts) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parts.join("") });
      }, reject);
    });
    asked.end();
  });
}

/** Which version of the image answered; undefined for other answers. */
export function versionOf({ status, body }: Answer): string | undefined {
  if (status !== 200) return undefined;
  return (JSON.parse(body) as { container: { version: string } }).container.version;
}

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    // Where nobody listens yet nobody answers.
    if (await holds().catch(() => false)) return;
    await pause(50);
  }
  throw new Error(`it never came true that ${what}`);
}
