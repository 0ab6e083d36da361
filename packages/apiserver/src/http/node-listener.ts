import type { IncomingMessage, ServerResponse } from "node:http";
import querystring from "node:querystring";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { StatusError, badRequest, internalError, statusJson } from "@gatewright/kube";
import { isStream } from "./api-request.ts";
import type { ApiHandler, ApiRequest, ApiResponse, Connection, StreamBody } from "./api-request.ts";
import { readRequestBody } from "./read-body.ts";
import { sendPieces } from "./send-pieces.ts";

export interface NodeListenerOptions {
  /** Hears of what went wrong on our side. */
  readonly onFault: (error: unknown) => void;
  /** Aborts when the listener closes: streams end then. */
  readonly closing: AbortSignal;
}

/** Adapts the server to node:http and node:https. */
export function nodeListener(
  handle: ApiHandler,
  { onFault, closing }: NodeListenerOptions,
): (message: IncomingMessage, response: ServerResponse) => void {
  return (message, response) => {
    answer(handle, message, response, closing).catch((error: unknown) => {
      onFault(error);
      response.destroy();
    });
  };
}

/** Made once: every request ends with it, and an error's stack takes time to gather. */
const GONE = new Error("the connection ended");

async function answer(
  handle: ApiHandler,
  message: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort(GONE));
  let result: ApiResponse;
  try {
    result = await handle(await toRequest(message, gone.signal));
  } catch (error) {
    // The handler answers its own errors: what is caught here is a body or a URL that never reached it.
    const status = error instanceof StatusError ? error : internalError("the request could not be read", error);
    const body = Buffer.from(`${JSON.stringify(statusJson(status.toStatus()))}\n`);
    result = { status: status.code, headers: { "content-type": "application/json", connection: "close" }, body };
  }
  if (response.destroyed) return;
  if (isStream(result.body)) return stream(result, result.body, response, { gone: gone.signal, closing });
  await send(result, result.body, message, response, gone.signal);
}

async function toRequest(message: IncomingMessage, signal: AbortSignal): Promise<ApiRequest> {
  if ((message.headersDistinct["host"]?.length ?? 0) > 1) throw badRequest("the request names more than one Host");
  // A target may be a whole URL, whose host then counts.
  const [, authority, target = "/"] = /^(?:https?:\/\/([^/?]*))?(.*)$/is.exec(message.url ?? "/") ?? [];
  const cut = target.indexOf("?");
  const path = decodePath(cut < 0 ? target : target.slice(0, cut));
  const given = message.headers as Record<string, string | undefined>;
  const headers = authority === undefined ? given : { ...given, host: authority };
  return {
    method: message.method ?? "GET",
    path,
    query: new URLSearchParams(cut < 0 ? "" : target.slice(cut + 1)),
    headers,
    headerValues: (name) => message.headersDistinct[name] ?? [],
    body: message.method === "GET" || message.method === "HEAD" ? EMPTY : await readRequestBody(message),
    connection: connectionOf(message),
    signal,
  };
}

const EMPTY = new Uint8Array(0);

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    if (!/%(?![0-9a-fA-F]{2})/.test(path)) return querystring.unescape(path);
    throw badRequest(`invalid URL escape in ${JSON.stringify(path.slice(0, 200))}`);
  }
}

function connectionOf(message: IncomingMessage): Connection {
  const { socket } = message;
  const remoteAddress = socket.remoteAddress ?? "";
  if (!isSecure(socket)) return { remoteAddress, secure: false };
  if (!socket.authorized) return { remoteAddress, secure: true };
  const { subject } = socket.getPeerCertificate();
  if (!subject?.CN) return { remoteAddress, secure: true };
  const organizations = [subject.O ?? []].flat();
  return { remoteAddress, secure: true, certificate: { commonName: [subject.CN].flat()[0]!, organizations } };
}

function isSecure(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket;
}

function sendHead(result: ApiResponse, response: ServerResponse): void {
  for (const [name, value] of Object.entries(result.headers)) {
    response.setHeader(name, typeof value === "string" ? utf8(value) : value.map(utf8));
  }
  response.statusCode = result.status;
}

/** Headers go out byte for byte: each byte of the text in UTF-8 as one character. */
function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** How long a client may read nothing of an answer that waits for it. */
const PATIENCE_MS = 60_000;

async function send(
  result: ApiResponse,
  body: Buffer | readonly Buffer[],
  message: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  sendHead(result, response);
  response.setTimeout(PATIENCE_MS, () => response.destroy());
  const pieces = Buffer.isBuffer(body) ? [body] : body;
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  response.setHeader("content-length", size);
  if (message.method === "HEAD") response.end();
  else await sendPieces(pieces, size, response, gone);
}

function stream(
  result: ApiResponse,
  body: StreamBody,
  response: ServerResponse,
  { gone, closing }: { readonly gone: AbortSignal; readonly closing: AbortSignal },
): void {
  sendHead(result, response);
  response.socket?.setNoDelay(true);
  response.flushHeaders();
  const end = (): void => {
    response.setTimeout(PATIENCE_MS, () => response.destroy());
    response.end();
  };
  const stop = body.start({
    write: (chunk) => response.write(chunk),
    end,
    onDrain: (listener) => response.on("drain", listener),
  });
  const close = (): void => {
    stop();
    end();
  };
  closing.addEventListener("abort", close, { once: true });
  gone.addEventListener(
    "abort",
    () => {
      closing.removeEventListener("abort", close);
      stop();
    },
    { once: true },
  );
}
