import { createServer, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Finding, GivenObject } from "../../packages/gateway/src/configuration/objects.ts";
import { readSettings } from "../../packages/gateway/src/configuration/settings/gateway-settings.ts";
import { Gateway } from "../../packages/gateway/src/gateway.ts";

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real gateway, and whatever real servers a test puts beside it. */
export class GuardedWorld {
  readonly #gateway: Gateway;
  readonly #servers: Server[] = [];
  readonly #stop = new AbortController();
  readonly faults: unknown[] = [];
  #version = 0;

  constructor() {
    this.#gateway = new Gateway(this.#settings(), {
      clock: systemClock,
      random: systemRandom,
      observer: { started() {}, ended() {}, fault: (...about) => void this.faults.push(about) },
      fault: (error) => void this.faults.push(error),
    });
  }

  async start(): Promise<void> {
    await this.#gateway.listen(this.#settings(), this.#stop.signal);
  }

  /** Serves on a port of its own. */
  async serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  /** Makes these the gateway's routes and backends, by name. */
  routes(specs: Readonly<Record<string, object>>, backends: Readonly<Record<string, object>> = {}): readonly Finding[] {
    const version = String(++this.#version);
    const objects = (kind: "APIRoute" | "Backend", these: Readonly<Record<string, object>>): GivenObject[] =>
      Object.entries(these).map(([name, spec]) => ({ kind, namespace: "default", name, version, spec }));
    return this.#gateway.replace([...objects("APIRoute", specs), ...objects("Backend", backends)]);
  }

  /** Sends a request; `chunks` without telling their length. */
  send(target: string, headers: Record<string, string> = {}, chunks?: Iterable<Buffer>): Promise<Got> {
    const port = this.#gateway.bound[0]?.port ?? 0;
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const method = chunks === undefined ? "GET" : "POST";
    const sent = httpRequest({ port, host: "127.0.0.1", path: target, method, headers, agent: false }, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => (body += text));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      answer.on("error", reject);
    });
    // The gateway may close while the rest of a body that nobody wants is being sent.
    sent.on("error", (error) => reject(error));
    for (const chunk of chunks ?? []) sent.write(chunk);
    sent.end();
    return promise;
  }

  async close(): Promise<void> {
    await this.#gateway.close(0, this.#stop.signal);
    this.#stop.abort();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  #settings() {
    const document = {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: "guarded" },
      spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0 }] },
    };
    return readSettings(document, "gateway.json").settings;
  }
}
