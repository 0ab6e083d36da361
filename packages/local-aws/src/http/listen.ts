import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import { ConnectionLost } from "../faults.ts";
import { readBody } from "./read-body.ts";

export interface ListenOptions {
  /** An address of this machine's own. Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: 4566; 0 takes one that is free. */
  readonly port?: number;
}

export interface Listening {
  /** `http://127.0.0.1:4566`. */
  readonly url: string;
  /** Takes no more requests, lets those under way be answered, and then lets go of the port. */
  close(): Promise<void>;
}

interface Hooks {
  readonly bodyLimit: (head: WireRequest) => number;
  /** What is answered when a body is larger than that. */
  readonly tooLarge: (head: WireRequest) => WireResponse;
  /** What time it is in this AWS: clients set their clocks by it. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

type Handle = (request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
/** Clients that take longer than this to say what they want are sent away. */
const SLOWEST_HEADERS_MS = 20_000;
const SLOWEST_REQUEST_MS = 300_000;
const GONE = new Error("the client went away");
const NO_BODY = new Uint8Array(0);

/** Serves HTTP/1.1 on a loopback address. Rejects when the address is not one, or taken. */
export async function listen(handle: Handle, options: ListenOptions & Hooks): Promise<Listening> {
  const { host = "127.0.0.1", port = 4566, onFault } = options;
  if (!LOOPBACK.test(host)) throw new TypeError(`${host} is not a loopback address; this AWS is for one machine`);
  const server = createServer(
    { headersTimeout: SLOWEST_HEADERS_MS, requestTimeout: SLOWEST_REQUEST_MS, keepAliveTimeout: 60_000 },
    (message, response) => {
      // Who keeps a connection open would otherwise hold up the end.
      response.on("finish", () => void (server.listening || message.socket.end()));
      answer(handle, options, message, response).catch((error: unknown) => {
        if (!(error instanceof ConnectionLost)) onFault(error);
        message.socket.destroy();
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  server.on("error", onFault);
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // An error would only say that it was closed already.
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

async function answer(handle: Handle, hooks: Hooks, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort(GONE));
  response.setHeader("date", new Date(hooks.now()).toUTCString());
  const head = headOf(message);
  let body: Uint8Array | "too large";
  try {
    body = await readBody(message, hooks.bodyLimit(head));
  } catch {
    // Who went away in the middle of a request needs no answer.
    return void message.socket.destroy();
  }
  if (body !== "too large") return send(await handle({ ...head, body }, gone.signal), hooks, message, response);
  response.setHeader("connection", "close");
  message.resume();
  send(hooks.tooLarge(head), hooks, message, response);
}

function send(answered: WireResponse, { onFault }: Hooks, message: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return;
  try {
    write(answered, message, response);
  } catch (error) {
    // A header that cannot be written is a fault of ours; without an answer, clients would take it for one of the network.
    onFault(error);
    for (const name of response.getHeaderNames()) if (name !== "date") response.removeHeader(name);
    response.statusCode = 500;
    response.end();
  }
}

function write({ status, headers, body }: WireResponse, message: IncomingMessage, response: ServerResponse): void {
  const bodiless = message.method === "HEAD" || status === 204 || status === 304;
  if (!bodiless) response.setHeader("content-length", body.length);
  for (const [name, value] of Object.entries(headers)) {
    if (name !== "content-length" || bodiless) response.setHeader(name, value);
  }
  response.statusCode = status;
  response.end(bodiless ? NO_BODY : body);
}

function headOf(message: IncomingMessage): WireRequest {
  const headers = Object.entries(message.headersDistinct).map(([name, values]): [string, string] => [
    name,
    (values ?? []).join(","),
  ]);
  return {
    method: message.method ?? "GET",
    path: message.url ?? "/",
    headers: Object.fromEntries(headers),
    body: NO_BODY,
  };
}
