import { createServer, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingHttpHeaders, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Finding, ObjectKind } from "../../packages/gateway/src/configuration/objects.ts";
import { readSettings } from "../../packages/gateway/src/configuration/settings/gateway-settings.ts";
import { Gateway } from "../../packages/gateway/src/gateway.ts";

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** What is sent; the rest is a plain GET. */
export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A real gateway between real clients and real servers. */
export class BodiesWorld {
  readonly #settings = settings();
  readonly #gateway: Gateway;
  readonly #servers: Server[] = [];
  readonly #stop = new AbortController();
  readonly faults: unknown[] = [];
  #version = 0;

  constructor() {
    this.#gateway = new Gateway(this.#settings, {
      clock: systemClock,
      random: systemRandom,
      observer: { started() {}, ended() {}, fault: (...about) => void this.faults.push(about) },
      fault: (error) => void this.faults.push(error),
    });
  }

  async start(): Promise<void> {
    await this.#gateway.listen(this.#settings, this.#stop.signal);
  }

  /** Serves on a port of its own, which it gives as the end of a route. */
  async serve(listener: RequestListener): Promise<{ readonly host: string; readonly port: number }> {
    const server = createServer(listener);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
  }

  /** Makes this the gateway's only route. */
  route(spec: object, kind: ObjectKind = "APIRoute"): readonly Finding[] {
    const version = String(++this.#version);
    return this.#gateway.replace([{ kind, namespace: "default", name: "one", version, spec }]);
  }

  /** Sends a request and waits for the whole answer. */
  async send(path: string, sending: Sending = {}): Promise<Got> {
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const sent = this.open(path, sending);
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
      answer.on("error", reject);
    });
    return promise;
  }

  /** Sends a request; what comes back is the caller's to read. */
  open(path: string, { method = "GET", headers = {}, body }: Sending = {}): ClientRequest {
    const port = this.#gateway.bound[0]?.port ?? 0;
    const sent = httpRequest({ port, host: "127.0.0.1", path, method, headers, agent: false });
    sent.end(body);
    return sent;
  }

  async close(): Promise<void> {
    await this.#gateway.close(0, this.#stop.signal);
    this.#stop.abort();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

function settings() {
  const document = {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "bodies" },
    spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0 }] },
  };
  return readSettings(document, "gateway.json").settings;
}
