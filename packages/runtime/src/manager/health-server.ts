import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { MetricsRegistry } from "@gatewright/telemetry";
import { aborted } from "@gatewright/ports";
import { healthAnswer } from "./health-answer.ts";
import type { Manager, Runnable } from "./manager.ts";

export interface HealthServerOptions {
  readonly manager: Pick<Manager, "health">;
  readonly port: number;
  /** Default: all addresses, since it is the kubelet that asks. */
  readonly host?: string;
  /** Served as `/metrics`; without it there is no such path. */
  readonly metrics?: Pick<MetricsRegistry, "exposition">;
  /** Told where it listens: the port that was given for 0. */
  readonly listening?: (address: AddressInfo) => void;
}

/**
 * Serves `/livez` and `/healthz` (would a restart help?), `/readyz` (can it do its work?) and `/metrics` over plain HTTP, without
 * credentials: nothing that it says is secret. `?verbose` tells every check, `/readyz/<check>` one of them.
 */
export function createHealthServer(options: HealthServerOptions): Runnable {
  const { manager, port, host, metrics, listening = () => {} } = options;
  return {
    name: "health-server",
    when: "always",
    async run(signal) {
      const server = createServer(
        { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 30_000, maxHeaderSize: 8192 },
        (request, response) => answer(request, response),
      );
      server.maxConnections = 256;
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, resolve);
      });
      const failed = new Promise<never>((_resolve, reject) => server.once("error", reject));
      listening(server.address() as AddressInfo); // a TCP server that listens has one
      try {
        await Promise.race([aborted(signal), failed]);
      } finally {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      }
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      send(request, response, 405, "method not allowed\n");
      return;
    }
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    if (path === "/metrics" && metrics !== undefined) {
      const { contentType, body } = metrics.exposition(request.headers.accept);
      send(request, response, 200, body, contentType);
      return;
    }
    const told = healthAnswer(manager, path, new URLSearchParams(query));
    send(request, response, told.status, told.body);
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  contentType = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "Content-Type": contentType, "Content-Length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
}
