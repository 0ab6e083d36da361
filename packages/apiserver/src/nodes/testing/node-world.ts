import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { badRequest } from "@gatewright/kube";
import { createApiServer } from "../../api-server.ts";
import type { ApiServer } from "../../api-server.ts";
import type { ApiServerOptions } from "../../api-server-options.ts";
import type { Listener } from "../../http/listen.ts";
import type { LogOptions, NodeAccess } from "../node-access.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
const PODS = { group: "", resource: "pods" };

/** A server whose pods are one HTTP server of the test, and write what the test says. */
export interface NodeWorld {
  readonly server: ApiServer;
  readonly listener: Listener;
  /** Options of logs that were asked for. */
  readonly asked: { readonly pod: string; readonly container: string; readonly options: LogOptions }[];
  /** Connections that pods have now. */
  readonly connections: Set<Duplex>;
  createPod(name: string, containers?: readonly object[]): Promise<void>;
  createService(name: string, pod: string): Promise<void>;
}

export interface NodeWorldOptions extends Omit<ApiServerOptions, "nodes" | "log"> {
  /** What pods answer to HTTP. */
  readonly pod?: RequestListener;
  /** What containers write. */
  readonly log?: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

async function* hello(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("hello\n");
  yield Buffer.from("world\n");
}

/** Runs until the test ends. Port 8080 of each pod is open and no other; a container named `waiting` has not started. */
export async function nodeWorld(
  t: { after(stop: () => Promise<void>): void },
  { pod, log = hello, ...options }: NodeWorldOptions = {},
): Promise<NodeWorld> {
  const backend = createServer(pod ?? ((_request, response) => response.end("hello from the pod")));
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
  const { port: open } = backend.address() as AddressInfo;
  const asked: { pod: string; container: string; options: LogOptions }[] = [];
  const connections = new Set<Duplex>();
  const nodes: NodeAccess = {
    async logs({ name }, container, wanted, signal) {
      if (container === "waiting") {
        throw badRequest(`container "waiting" in pod "${name}" is waiting to start: ContainerCreating`);
      }
      asked.push({ pod: name, container, options: wanted });
      return log(signal);
    },
    connect(_pod, port) {
      return new Promise((resolve, reject) => {
        if (port !== 8080) return reject(new Error("connect: connection refused"));
        const socket = connect({ port: open, host: "127.0.0.1", allowHalfOpen: true }, () => resolve(socket));
        connections.add(socket);
        socket.once("close", () => connections.delete(socket));
        socket.once("error", reject);
        return undefined;
      });
    },
  };
  const server = await createApiServer({ ...options, nodes });
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  t.after(async () => {
    await listener.close();
    await server.close();
    backend.closeAllConnections();
    await new Promise((resolve) => backend.close(resolve));
  });
  const { cluster } = server;
  await cluster.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  const defaults = [{ name: "web", image: "i", ports: [{ containerPort: 8080 }] }];
  let ips = 0;
  return {
    server,
    listener,
    asked,
    connections,
    async createPod(name, containers = defaults) {
      const metadata = { namespace: "shop", name };
      const spec = { containers: containers as never, nodeName: "laptop" };
      await cluster.create(PODS, { apiVersion: "v1", kind: "Pod", metadata, spec });
      const status = { phase: "Running", podIP: `10.244.0.${++ips}` };
      await cluster.edit(PODS, "shop", name, (object) => void (object["status"] = status), "status");
    },
    async createService(name, pod) {
      const metadata = { namespace: "shop", name };
      const spec = { ports: [{ name: "http", port: 80, targetPort: 8080 }] };
      await cluster.create({ group: "", resource: "services" }, { apiVersion: "v1", kind: "Service", metadata, spec });
      const uid = cluster.get(PODS, "shop", pod)?.metadata.uid ?? "";
      const targetRef = { kind: "Pod", namespace: "shop", name: pod, uid };
      await cluster.create(
        { group: "", resource: "endpoints" },
        {
          apiVersion: "v1",
          kind: "Endpoints",
          metadata,
          subsets: [{ addresses: [{ ip: "10.244.0.1", targetRef }], ports: [{ name: "http", port: 8080 }] }],
        },
      );
    },
  };
}

/** A body, whole. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
