import { lookup } from "node:dns";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import type { WireRequest, WireResponse } from "@gatewright/aws-wire";
import { AddressRefusedError } from "./address-refused-error.ts";
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

const MOST_BYTES = 64 * 1024 * 1024;

export interface HttpSendOptions {
  /** To one host. Default: 50. */
  readonly maxConnections?: number;
  /**
   * Addresses that are never connected to, whatever name leads there: asked with each address when a connection is made, so that a
   * name which changes its mind is no way around it. Default: none.
   */
  readonly refuses?: (address: string) => boolean;
  /** Longest answer that is read; one that goes on is cut off and rejects. Default: 64 MiB. */
  readonly mostBytes?: number;
}

/** Sends over HTTP/1.1 and TLS, on connections that are kept. Waits as long as the signal lets it. */
export function createHttpSend({
  maxConnections = 50,
  refuses,
  mostBytes = MOST_BYTES,
}: HttpSendOptions = {}): HttpSend {
  const plain = new HttpAgent({ keepAlive: true, maxSockets: maxConnections });
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: maxConnections });
  const close = (): void => {
    plain.destroy();
    secure.destroy();
  };
  const begin = (endpoint: URL, request: WireRequest, signal: AbortSignal): ClientRequest => {
    const { method, path } = request;
    const headers = { ...request.headers, "content-length": String(request.body.length) };
    const hostname = hostOf(endpoint);
    const guard = refuses === undefined ? {} : { lookup: guarded(refuses) };
    const options = { method, path, headers, signal, hostname, port: endpoint.port, ...guard };
    return endpoint.protocol === "https:"
      ? httpsRequest({ ...options, agent: secure })
      : httpRequest({ ...options, agent: plain });
  };
  const send: Send = (endpoint, request, signal) =>
    new Promise((resolve, reject) => {
      const host = hostOf(endpoint);
      // What is an address already is not looked up.
      if (isIP(host) !== 0 && refuses?.(host) === true) {
        reject(new AddressRefusedError(host));
        return;
      }
      const outgoing = begin(endpoint, request, signal);
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        if (error instanceof AddressRefusedError) {
          reject(error);
          return;
        }
        const neverSent = NEVER_CONNECTED.has(error.code ?? "");
        reject(neverSent ? new NotSentError(`${endpoint.host} cannot be reached`, { cause: error }) : error);
      });
      // An answer that switches protocols is told by nothing but this, and an abort after it by nothing at all.
      const unanswered = (): void => reject(new Error(`${endpoint.host} ended the connection without an answer`));
      outgoing.once("close", unanswered);
      outgoing.once("response", (answer) => {
        outgoing.off("close", unanswered);
        void read(answer, mostBytes).then(resolve, reject);
      });
      outgoing.end(request.body);
    });
  return { send, close, [Symbol.asyncDispose]: async () => close() };
}

/** Looks a name up, and gives none of its addresses if one of them is refused. */
function guarded(refuses: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        done(error, []);
        return;
      }
      const [first] = found;
      if (first === undefined || found.some(({ address }) => refuses(address))) {
        done(new AddressRefusedError(hostname), []);
      } else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

/** A URL writes IPv6 addresses in brackets; sockets want them without. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

async function read(answer: IncomingMessage, most: number): Promise<WireResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += (chunk as Buffer).length;
    // Leaving the loop cuts the connection.
    if (length > most) throw new Error(`the answer is longer than ${most} bytes`);
    chunks.push(chunk as Buffer);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
