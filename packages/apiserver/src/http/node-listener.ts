import { ServerResponse } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { StatusError, internalError, statusJson } from "@gatewright/kube";
import { isStream } from "./api-request.ts";
import type { ApiHandler, ApiResponse, StreamBody } from "./api-request.ts";
import { sendPieces } from "./send-pieces.ts";
import { toRequest } from "./to-request.ts";
import type { Unanswered } from "./unanswered.ts";

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

/**
 * Adapts the server to requests that ask for another protocol: those that it does not change to are answered as any other, on a
 * connection that ends then. One that comes while others on its connection wait for their answers gets none: the connection ends after
 * theirs.
 */
export function upgradeListener(
  handle: ApiHandler,
  { onFault, closing }: NodeListenerOptions,
  unanswered: Unanswered,
): (message: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (message, socket, head) => {
    // A caller that goes away is no fault; whoever uses the socket sees it close.
    socket.on("error", () => {});
    if (unanswered.of(socket).size > 0) return unanswered.endAfter(socket);
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    response.assignSocket(message.socket);
    response.once("finish", () => socket.end());
    if (head.length > 0) socket.unshift(head);
    const stop = (): void => void socket.destroy();
    closing.addEventListener("abort", stop, { once: true });
    socket.once("close", () => closing.removeEventListener("abort", stop));
    answer(handle, message, response, closing).catch((error: unknown) => {
      onFault(error);
      socket.destroy();
    });
    return undefined;
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
  if (result.upgrade) return upgrade(result, result.upgrade, response);
  if (isStream(result.body)) return stream(result, result.body, response, { gone: gone.signal, closing });
  await send(result, result.body, message, response, gone.signal);
}

/** Nothing of the response remains: the socket speaks the other protocol after its head. */
function upgrade(result: ApiResponse, take: (socket: Duplex) => void, response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  sendHead(result, response);
  response.detachSocket(socket);
  const lines = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${String(each)}\r\n`),
  );
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`, "latin1");
  socket.setNoDelay(true);
  socket.setTimeout(0);
  // While a pod does not read nobody reads the socket either: only so is it found out that the client is gone.
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  take(socket);
}

const KEEP_ALIVE_MS = 30_000;

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
    cut: () => response.destroy(),
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
