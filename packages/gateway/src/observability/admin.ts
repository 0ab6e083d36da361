import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP } from "node:net";
import type { AddressInfo } from "node:net";
import type { Exposition } from "@gatewright/telemetry";
import { hostOf } from "../exchange/authority.ts";
import type { Gateway } from "../gateway.ts";
import { askedRequest } from "./asked-request.ts";
import type { Finding } from "../configuration/objects.ts";
import type { ObjectName } from "../configuration/target.ts";
import type { WorkerState } from "../workers/worker-seat.ts";

/** What people and probes are shown. */
export interface AdminParts {
  readonly gateway: Pick<Gateway, "explain" | "held" | "backends" | "bound" | "active">;
  /** What is wrong with objects, or not supported. */
  readonly findings: () => readonly Finding[];
  /** All metrics, as the `Accept` header prefers them. Undefined: they are turned off. */
  readonly exposition: ((accept: string | undefined) => Promise<Exposition>) | undefined;
  /** Threads that serve beside the main one. */
  readonly workers: () => readonly WorkerState[];
  /** Undefined: ready for requests. Otherwise why not, in words. */
  readonly notReady: () => string | undefined;
  /** Told of what went wrong here: whoever asked gets a 500. */
  readonly fault: (error: unknown) => void;
}

/** The admin endpoint. */
export interface Admin {
  readonly port: number;
  close(): void;
}

/**
 * Serves `/healthz`, `/readyz`, `/metrics`, `/objects`, `/backends`, `/listeners` and `/match`. It changes nothing and shows no
 * secret: specs of objects are not told. Requests from pages of browsers are refused.
 */
export async function serveAdmin(address: string, port: number, parts: AdminParts): Promise<Admin> {
  const server = createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => {
      parts.fault(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end("a fault, told in the log\n");
    });
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeAll(server) };
}

function closeAll(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: AdminParts): Promise<void> {
  const { gateway, exposition } = parts;
  // Not everything that Node takes for a target is a URL: `//` is none.
  const url = URL.parse(request.url ?? "/", "http://admin");
  const text = (status: number, body: string, type = "text/plain; charset=utf-8"): void =>
    void response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
  const json = (value: unknown): void => text(200, `${JSON.stringify(value, undefined, 2)}\n`, "application/json");
  if (request.method !== "GET" && request.method !== "HEAD") return text(405, "only GET is served here\n");
  if (isFromPage(request)) return text(403, "not for pages of browsers\n");
  if (url === null) return text(400, "this is no URL\n");
  switch (url.pathname) {
    case "/healthz":
      return text(200, "ok\n");
    case "/readyz": {
      const why = parts.notReady();
      return why === undefined ? text(200, "ok\n") : text(503, `${why}\n`);
    }
    case "/metrics": {
      if (exposition === undefined) return text(404, "metrics are turned off\n");
      const { body, contentType } = await exposition(request.headers.accept);
      return text(200, body, contentType);
    }
    case "/objects": {
      const findings = Map.groupBy(parts.findings(), nameOf);
      return json(
        gateway.held().map(({ kind, namespace, name, version }) => ({
          kind,
          namespace,
          name,
          version,
          findings: (findings.get(nameOf({ kind, namespace, name })) ?? []).map(({ severity, field, message }) => ({
            severity,
            field,
            message,
          })),
        })),
      );
    }
    case "/backends":
      return json(gateway.backends());
    case "/listeners":
      return json({ listeners: gateway.bound, activeRequests: gateway.active, workers: parts.workers() });
    case "/match": {
      const question = askedRequest(url.searchParams);
      if (typeof question === "string") return text(400, `${question}\n`);
      const explanation = gateway.explain(question);
      return url.searchParams.get("format") === "json"
        ? json(explanation)
        : text(200, `${explanation.lines.join("\n")}\n`);
    }
    default:
      return text(404, "there are /healthz, /readyz, /metrics, /objects, /backends, /listeners and /match\n");
  }
}

/** Pages may not look, not even by a name of theirs that leads to this machine: only hosts that no page can be of are answered there. */
function isFromPage({ headers, socket }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || (site !== undefined && site !== "none")) return true;
  if (!isLoopback(socket.localAddress ?? "")) return false;
  const host = hostOf(headers.host ?? "localhost");
  return host !== "localhost" && isIP(host.replace(/^\[|\]$/g, "")) === 0;
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}

function nameOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace}/${name}`;
}
