import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { aborted, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { HealthCheck, Runnable } from "../../manager/manager.ts";
import { within } from "../../manager/within.ts";
import { contextOf, followCertificates } from "../../serving/served-certificate.ts";
import { noTracer, quietLog } from "@gatewright/telemetry";
import type { Log, Metrics, Tracer } from "@gatewright/telemetry";
import type { CertificateSource } from "../certificate/certificate-source.ts";
import { firstCertificate } from "../certificate/first-certificate.ts";
import type { Webhook } from "../webhook.ts";
import { answerRequest } from "./answer-request.ts";
import type { Answer } from "./answer-request.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { servingProblem } from "./serving-problem.ts";
import { UnderWay } from "./under-way.ts";

export interface WebhookServerOptions {
  readonly webhooks: readonly Webhook[];
  readonly certificates: CertificateSource;
  readonly clock: Clock;
  /** Default: 9443. 0: any free one. */
  readonly port?: number;
  /** Default: all addresses, since it is the API server that asks. */
  readonly host?: string;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer;
  /**
   * How long it goes on answering when it is told to stop, each answer being the last on its connection: an API server hears later
   * that it goes, and has connections to it that it means to use again. Default: 1 s.
   */
  readonly lingerMs?: number;
  /** How long requests under way have to end after that. Default: 10 s. */
  readonly drainMs?: number;
  /** Told where it listens: the port that was given for 0. */
  readonly listening?: (address: AddressInfo) => void;
}

/** Serves webhooks while it runs, and keeps its certificate good. */
export interface WebhookServer extends Runnable {
  /** Ready when it listens with a certificate that holds now. */
  readonly check: HealthCheck;
}

/** Callers that send slowly are cut off, idle connections are kept for as long as Go's client keeps them. */
const MANNERS = { headersTimeout: 5_000, requestTimeout: 15_000, keepAliveTimeout: 100_000, maxHeaderSize: 16_384 };
const MAX_CONNECTIONS = 1024;

/**
 * An HTTPS server for admission and conversion. Listens as soon as there is a certificate, and serves with a new one from the next
 * connection on, without touching those that are open. Throws when two webhooks have the same path.
 */
export function createWebhookServer(options: WebhookServerOptions): WebhookServer {
  const { certificates, clock, metrics, port = 9443, host, listening = () => {} } = options;
  const { log = quietLog, tracer = noTracer, lingerMs = 1_000, drainMs = 10_000 } = options;
  const paths = byPath(options.webhooks);
  const counted = new RequestMetrics(clock, metrics, [...paths.keys()]);
  const underWay = new UnderWay();
  const sockets = new Set<Socket>();
  let [listens, leaving] = [false, false];

  async function answer(request: IncomingMessage, response: ServerResponse, stopped: AbortSignal): Promise<void> {
    underWay.add(response);
    const [path = ""] = (request.url ?? "").split("?", 1);
    const webhook = paths.get(path);
    if (webhook === undefined) return send(request, response, { status: 404, body: "no webhook has this path\n" });
    const end = counted.begin(path);
    let code: number | undefined;
    try {
      const answered =
        request.method === "POST"
          ? await answerRequest(webhook, request, { clock, log, tracer }, stopped)
          : { status: 405, body: "webhooks are asked by POST\n" };
      if (leaving) response.setHeader("Connection", "close");
      send(request, response, answered);
      code = answered.status;
    } catch {
      response.destroy(); // the caller went away
    } finally {
      end(code);
    }
  }

  return {
    name: "webhook-server",
    when: "always",
    check: {
      name: "webhook-server",
      for: "ready",
      problem: () => servingProblem(certificates.current(), listens, clock.now()),
    },
    async run(signal) {
      leaving = false; // a run that failed has left: this one has not
      const ended = new AbortController();
      const kept = certificates.run(ended.signal);
      try {
        await firstCertificate(certificates, signal);
        if (signal.aborted) return;
        const stopped = new AbortController();
        const { createServer } = await import("node:https");
        const server = createServer({ ...MANNERS, handshakeTimeout: 10_000, ...contextOf(certificates) });
        server.maxConnections = MAX_CONNECTIONS;
        server.on("connection", (socket: Socket) => {
          sockets.add(socket);
          socket.once("close", () => sockets.delete(socket));
        });
        server.on("request", (request, response) => void answer(request, response, stopped.signal));
        const unsubscribe = followCertificates(server, certificates, log);
        try {
          await serve(server, signal);
        } finally {
          unsubscribe();
          await drain(server, stopped);
        }
      } finally {
        ended.abort();
        await kept;
      }
    },
  };

  async function serve(server: Server, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    const failed = new Promise<never>((_resolve, reject) => server.once("error", reject));
    listens = true;
    listening(server.address() as AddressInfo); // a TCP server that listens has one
    await Promise.race([aborted(signal), failed]);
  }

  /** Lingers, takes no more connections, lets requests under way end, and then closes what is left. */
  async function drain(server: Server, stopped: AbortController): Promise<void> {
    leaving = true;
    if (server.listening && lingerMs > 0) await sleep(clock, lingerMs);
    listens = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    if (!(await within(clock, drainMs, underWay.none()))) stopped.abort(new Error("the webhook server stops"));
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy(); // those whose handshake never came to an end
    await closed;
  }
}

function byPath(webhooks: readonly Webhook[]): ReadonlyMap<string, Webhook> {
  const paths = new Map<string, Webhook>();
  for (const webhook of webhooks) {
    if (paths.has(webhook.path)) throw new TypeError(`two webhooks have the path ${webhook.path}`);
    paths.set(webhook.path, webhook);
  }
  return paths;
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  const json = status === 200;
  if (status === 405) response.setHeader("Allow", "POST");
  // What was not read of a refused request must not be taken for the next one.
  if (!request.complete) response.setHeader("Connection", "close");
  response.writeHead(status, {
    "Content-Type": json ? "application/json" : "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  });
  response.end(body, () => {
    if (!request.complete) request.destroy();
  });
}
