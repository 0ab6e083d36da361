import { createServer, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { createApiServer } from "@gatewright/apiserver";
import { createAws, createHttpSend } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { startLocalCloud } from "@gatewright/local-aws";
import type { LocalCloud } from "@gatewright/local-aws";
import { core, discovery } from "@gatewright/kube/api";
import { sleep, systemClock, systemRandom } from "@gatewright/ports";
import { Gateway, GatewayClass, gatewayResources, HTTPRoute } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { installDefinitions } from "../../install-definitions.ts";
import { loadBalancers } from "../load-balancers.ts";

/** An API server with Gateways, an AWS that serves them, and pods that answer. */
export interface LoadBalancerWorld {
  readonly client: Client;
  readonly aws: Aws;
  readonly cloud: LocalCloud;
  /** A class, and the Gateway `edge` with one listener. */
  gateway(listener?: object, spec?: object): Promise<void>;
  route(name: string, spec: object): Promise<void>;
  /** A Service with pods that answer with its name; each pod is an address and whether it is ready. */
  service(name: string, pods: Readonly<Record<string, boolean>>): Promise<void>;
  endpoints(service: string, pods: Readonly<Record<string, boolean>>): Promise<void>;
  /** Makes the address of a pod lead to a server that answers `says`. */
  pod(ip: string, says: string): Promise<void>;
  get(path: string, options?: GetOptions): Promise<Answer>;
  until(what: string, holds: () => unknown): Promise<void>;
}

export interface GetOptions {
  readonly host?: string;
  readonly port?: number;
  readonly ca?: string;
  readonly headers?: OutgoingHttpHeaders;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

type Context = { after(stop: () => Promise<void>): void };
const { signal } = new AbortController();

/** Ports that other test runs on this machine are unlikely to use. */
export const PORT = 20_000 + (process.pid % 10_000);
export const SECURE_PORT = PORT + 10_000;
const LONGEST_MS = 20_000;

/** Runs until the test ends. */
export async function loadBalancerWorld(t: Context): Promise<LoadBalancerWorld> {
  const pods = new Map<string, number>();
  const closers: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const server = await createApiServer();
  closers.push(() => server.close());
  const cloud = await startLocalCloud({
    clock: systemClock,
    random: systemRandom,
    pace: { durations: 0.001, lag: false },
    limits: "off",
    api: { port: 0 },
    dns: { port: 0 },
    targetAddress: (ip) => ({ host: "127.0.0.1", port: pods.get(ip) ?? 1 }),
    onFault: (error) => {
      throw error;
    },
  });
  closers.push(() => cloud.close());
  const http = createHttpSend();
  closers.push(() => http.close());
  const aws = createAws({
    region: "eu-west-1",
    endpoint: cloud.url,
    credentials: async () => ({ accessKeyId: "test", secretAccessKey: "test" }),
    send: http.send,
    clock: systemClock,
    random: systemRandom,
  });
  const manager = createManager({ name: "load-balancers", transport: server.transport() });
  const client = manager.ungated.with({ fieldManager: "test" });
  await installDefinitions(client, "test", gatewayResources, signal);
  const options = { aws, clock: systemClock, defaultTargetType: "ip", provisioningMs: 50, refusedMs: 50 } as const;
  for (const each of Object.values(loadBalancers(options))) manager.add(each);
  const stop = new AbortController();
  const ended = manager.run(stop.signal);
  closers.push(async () => {
    stop.abort();
    await ended;
  });
  await client.for(core.Namespace).create({ metadata: { name: "shop" } });

  const world: LoadBalancerWorld = {
    client,
    aws,
    cloud,
    async gateway(listener = {}, spec = {}) {
      await client
        .for(GatewayClass)
        .create({ metadata: { name: "alb" }, spec: { controllerName: "gateway.k8s.aws/alb" } });
      const listeners = [{ name: "http", port: PORT, protocol: "HTTP", ...listener }];
      const metadata = { namespace: "shop", name: "edge" };
      await client.for(Gateway).apply({ metadata, spec: { gatewayClassName: "alb", listeners, ...spec } });
    },
    async route(name, spec) {
      await client
        .for(HTTPRoute)
        .apply({ metadata: { namespace: "shop", name }, spec: { parentRefs: [{ name: "edge" }], ...spec } });
    },
    async service(name, all) {
      const ports = [{ name: "http", port: 80, targetPort: 8080 }];
      await client.for(core.Service).create({ metadata: { namespace: "shop", name }, spec: { ports } });
      for (const ip of Object.keys(all)) await world.pod(ip, name);
      await world.endpoints(name, all);
    },
    async endpoints(service, all) {
      const labels = { "kubernetes.io/service-name": service };
      await client.for(discovery.EndpointSlice).apply({
        metadata: { namespace: "shop", name: `${service}-1`, labels },
        addressType: "IPv4",
        ports: [{ name: "http", port: 8080, protocol: "TCP" }],
        endpoints: Object.entries(all).map(([ip, ready]) => ({
          addresses: [ip],
          conditions: { ready, serving: true, terminating: !ready },
        })),
      });
    },
    async pod(ip, says) {
      const listening = createServer((_request, response) => void response.end(says));
      await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve));
      closers.push(() => {
        listening.close();
        listening.closeAllConnections();
      });
      pods.set(ip, (listening.address() as AddressInfo).port);
    },
    async get(path, { host = "shop.example.com", port = PORT, ca, headers = {} } = {}) {
      const [at] = cloud.endpoints().filter((each) => each.port === port);
      const options = {
        host: at?.host ?? "127.0.1.1",
        port,
        path,
        headers: { host, ...headers },
        agent: false as const,
      };
      return new Promise((resolve, reject) => {
        const asked = ca === undefined ? httpRequest(options) : httpsRequest({ ...options, ca, servername: host });
        asked.once("error", reject);
        asked.once("response", (answer) => {
          answer
            .toArray()
            .then(
              (parts) => resolve({ status: answer.statusCode ?? 0, body: parts.join(""), headers: answer.headers }),
              reject,
            );
        });
        asked.end();
      });
    },
    async until(what, holds) {
      const end = systemClock.monotonic() + LONGEST_MS;
      for (;;) {
        // Where nobody listens yet nobody answers.
        const held = await Promise.resolve()
          .then(holds)
          .catch(() => false);
        if (held !== false && held !== undefined) return;
        if (systemClock.monotonic() > end) throw new Error(`it never came true that ${what}`);
        await sleep(systemClock, 10);
      }
    },
  };
  return world;
}
