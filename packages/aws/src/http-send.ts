import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import { NotSentError } from "./send.ts";
import type { Send } from "./send.ts";

/** A {@link Send} that owns connections. Those that are idle do not keep a process alive. */
export interface HttpSend extends AsyncDisposable {
  readonly send: Send;
  /** Cuts every connection. */
  close(): void;
}

/** What fails before a request can have been seen by anybody. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Sends over HTTP/1.1 and TLS, on connections that are kept. Waits as long as the signal lets it. */
export function createHttpSend({ maxConnections = 50 }: { readonly maxConnections?: number } = {}): HttpSend {
  const plain = new HttpAgent({ keepAlive: true, maxSockets: maxConnections });
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: maxConnections });
  const close = (): void => {
    plain.destroy();
    secure.destroy();
  };
  const begin = (endpoint: URL, request: WireRequest, signal: AbortSignal): ClientRequest => {
    const { method, path } = request;
    const headers = { ...request.headers, "content-length": String(request.body.length) };
    const options = { method, path, headers, signal, hostname: hostOf(endpoint), port: endpoint.port };
    return endpoint.protocol === "https:"
      ? httpsRequest({ ...options, agent: secure })
      : httpRequest({ ...options, agent: plain });
  };
  const send: Send = (endpoint, request, signal) =>
    new Promise((resolve, reject) => {
      const outgoing = begin(endpoint, request, signal);
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        const neverSent = NEVER_CONNECTED.has(error.code ?? "");
        reject(neverSent ? new NotSentError(`${endpoint.host} cannot be reached`, { cause: error }) : error);
      });
      outgoing.once("response", (answer) => void read(answer).then(resolve, reject));
      outgoing.end(request.body);
    });
  return { send, close, [Symbol.asyncDispose]: async () => close() };
}

/** A URL writes IPv6 addresses in brackets; sockets want them without. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

async function read(answer: IncomingMessage): Promise<WireResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
