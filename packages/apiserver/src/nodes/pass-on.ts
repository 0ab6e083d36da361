import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import { StatusError, serviceUnavailable } from "@gatewright/kube";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";
import { join } from "./join.ts";
import { answeredHeaders, encodePath, forwardedHeaders } from "./proxy-headers.ts";
import type { ProxyPlace } from "./proxy-headers.ts";
import { streamed } from "./streamed.ts";

/** Where a request is passed on to. */
export interface Destination extends ProxyPlace {
  readonly scheme: "http" | "https";
  /** What is asked of the pod; empty when the URL of the proxy has nothing after it. */
  readonly path: string;
  connect(signal: AbortSignal): Promise<Duplex>;
}

/** Passes a request on and its answer back, both as they come. Rejects with 503 when nobody answers. */
export async function passOn(request: ApiRequest, to: Destination): Promise<ApiResponse> {
  const search = request.search ?? (request.query.size === 0 ? "" : `?${request.query}`);
  if (to.path === "" && (request.method === "GET" || request.method === "HEAD")) {
    const location = `${encodePath(request.path)}/${search}`;
    return { status: 301, headers: { location }, body: Buffer.alloc(0) };
  }
  try {
    const path = `${encodePath(to.path === "" ? "/" : to.path)}${search}`;
    return await exchange(request, to, path, await to.connect(request.signal));
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw serviceUnavailable(`error trying to reach service: ${why}`);
  }
}

function exchange(request: ApiRequest, to: Destination, path: string, plain: Duplex): Promise<ApiResponse> {
  // Certificates of pods name nobody that this server could know; the real one does not look at them either.
  const socket = to.scheme === "https" ? tlsConnect({ socket: plain, rejectUnauthorized: false }) : plain;
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
  const { method } = request;
  const sent = httpRequest({ method, path, headers: forwardedHeaders(request, to), createConnection: () => socket });
  const abandon = (): void => void sent.destroy();
  request.signal.addEventListener("abort", abandon, { once: true });
  sent.once("close", () => request.signal.removeEventListener("abort", abandon));
  sent.on("error", reject);
  sent.once("response", (answer) => resolve(answered(answer, to)));
  sent.once("upgrade", (answer, upgraded, head) => resolve(changed(answer, upgraded, head, to)));
  send(request, sent);
  return promise;
}

function send(request: ApiRequest, sent: ClientRequest): void {
  const { upload, body } = request;
  if (upload === undefined) return void sent.end(body.length === 0 ? undefined : body);
  upload.pipe(sent);
  upload.once("error", () => sent.destroy());
}

function answered(answer: IncomingMessage, to: Destination): ApiResponse {
  return { status: answer.statusCode ?? 502, headers: answeredHeaders(answer.headers, to), body: streamed(answer) };
}

function changed(answer: IncomingMessage, upgraded: Duplex, head: Buffer, to: Destination): ApiResponse {
  const { upgrade = "" } = answer.headers;
  const headers = { ...answeredHeaders(answer.headers, to), connection: "Upgrade", upgrade };
  if (head.length > 0) upgraded.unshift(head);
  return { status: 101, headers, body: Buffer.alloc(0), upgrade: (caller) => join(caller, upgraded) };
}
