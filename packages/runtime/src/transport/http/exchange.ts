import http from "node:http";
import type { CancelTimer, Clock } from "@gatewright/ports";
import { TransportError } from "../transport-error.ts";
import type { TransportRequest, TransportResponse } from "../transport.ts";
import { connectionError } from "./connection-error.ts";
import type { Stage } from "./connection-error.ts";
import { responseBody } from "./response-body.ts";

export interface ExchangeOptions {
  readonly agent: http.Agent;
  readonly server: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly clock: Clock;
  /** How long the server may say nothing; of a watch, until it has begun. */
  readonly silenceTimeoutMs: number;
  readonly isWatch: boolean;
}

const MAX_HEADER_BYTES = 1024 * 1024;

/**
 * Sends one request over one connection. A read that finds a kept connection closed by the server, as happens when it restarts, is
 * sent once more on a new one.
 */
export async function exchange(request: TransportRequest, options: ExchangeOptions): Promise<TransportResponse> {
  const first = await attempt(request, options);
  if (first !== "stale connection") return first;
  const second = await attempt(request, { ...options, agent: freshOnly(options.agent) });
  if (second !== "stale connection") return second;
  throw new TransportError("cut", `${options.server.host}: the connection was cut`);
}

/** Connections like those of an agent, none of them used before. */
function freshOnly(agent: http.Agent): http.Agent {
  const fresh = new http.Agent({ keepAlive: false });
  fresh.createConnection = agent.createConnection.bind(agent);
  return fresh;
}

function attempt(request: TransportRequest, options: ExchangeOptions): Promise<TransportResponse | "stale connection"> {
  const { server, clock, silenceTimeoutMs, isWatch } = options;
  const { signal } = request;
  const body = typeof request.body === "string" ? Buffer.from(request.body) : request.body;
  return new Promise((resolve, reject) => {
    let stage: Stage = "connecting";
    let timedOut: TransportError | undefined;
    let cancelTimer: CancelTimer = () => {};
    const sent = http.request({
      agent: options.agent,
      method: request.method,
      host: server.hostname,
      port: server.port,
      path: `${server.pathname.replace(/\/$/, "")}${request.path}`,
      // Node leaves lists of values as they are, though its type does not say so.
      headers: {
        ...options.headers,
        ...(body && { "content-length": String(body.length) }),
      } as http.OutgoingHttpHeaders,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const heard = (): void => cancelTimer();
    const waiting = (): void => {
      cancelTimer();
      if (isWatch && stage === "answering") return;
      cancelTimer = clock.timer(silenceTimeoutMs, () => {
        timedOut = new TransportError("timeout", `${server.host}: no answer for ${silenceTimeoutMs} ms`);
        sent.destroy(timedOut);
      });
    };
    const failure = (error: unknown): unknown => {
      if (signal?.aborted === true) return signal.reason;
      return timedOut ?? connectionError(error, server.host, stage);
    };
    const abort = (): void => void sent.destroy(new Error("aborted"));
    const over = (): void => {
      cancelTimer();
      signal?.removeEventListener("abort", abort);
    };
    sent.once("socket", () => {
      stage = "sent";
      waiting();
    });
    sent.on("error", (error) => {
      if (stage === "answering") return;
      over();
      const isRead = request.method === "GET" || request.method === "HEAD";
      const isStale = sent.reusedSocket && isRead && timedOut === undefined && signal?.aborted !== true;
      if (isStale) resolve("stale connection");
      else reject(failure(error));
    });
    // A server that switches protocols is told by nothing but this.
    sent.once("close", () => {
      if (stage === "answering") return;
      over();
      reject(failure(new Error("the connection ended without an answer")));
    });
    sent.once("response", (response) => {
      stage = "answering";
      heard();
      const headers = response.headers as TransportResponse["headers"];
      resolve({
        status: response.statusCode ?? 0,
        headers,
        body: responseBody(response, { failure, waiting, heard, over }),
      });
    });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    sent.end(body);
  });
}
