import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Json } from "@gatewright/kube";
import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { RefusedAddressError, guardedLookup, refusedHost } from "../backends/address-guard.ts";
import { OutboundError } from "./fetch-json.ts";
import type { FetchJson, JsonReply, JsonRequest } from "./fetch-json.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_HEAD_BYTES = 16 * 1024;

/** What the real way out works with. */
export interface OutboundParts {
  readonly clock: Clock;
  /** Resolves names; addresses that nothing may be sent to are left out of what it gives. Default: the system's resolver. */
  readonly resolve?: LookupFunction;
  /** PEM of the authorities that services' certificates are from. Default: those of the machine. */
  readonly authorities?: string;
}

/** Connections that are kept for the next question. They do not keep the process alive. */
const KEPT = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, timeout: 30_000 } as const;

interface Way {
  readonly lookup: LookupFunction;
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * The real way out: a few connections that are kept for a while, 1 MiB of reply at most, no redirects, certificates verified, and never to link-local or metadata addresses, whatever a name resolves to.
 */
export function nodeFetchJson(parts: OutboundParts): FetchJson {
  const { authorities: ca, resolve } = parts;
  const https = new HttpsAgent({ ...KEPT, ...(ca !== undefined && { ca }) });
  const way = { lookup: guardedLookup(resolve), http: new HttpAgent(KEPT), https };
  return async (request, signal) => {
    const url = parsedUrl(request.url);
    const within = deadline(parts.clock, request.timeoutMs, signal);
    try {
      return await exchange(url, request, way, within.signal);
    } catch (error) {
      signal.throwIfAborted();
      if (within.signal.aborted) throw new OutboundError("timeout", "the service did not answer in time");
      throw error instanceof OutboundError ? error : failure(error);
    } finally {
      within[Symbol.dispose]();
    }
  };
}

function parsedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new OutboundError("bad_url", "the address of the service is not an http or https URL");
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  if (refusedHost(host) !== undefined)
    throw new OutboundError("refused_address", "nothing is sent to the address of the service");
  return url;
}

function failure(error: unknown): OutboundError {
  return error instanceof RefusedAddressError
    ? new OutboundError("refused_address", "nothing is sent to the address of the service")
    : new OutboundError("unreachable", "the service cannot be reached");
}

/** A connection that was kept may have been closed by the other side at this very moment: that says nothing about the service. */
class StaleConnectionError extends Error {
  override readonly name = "StaleConnectionError";
}

async function exchange(url: URL, request: JsonRequest, way: Way, signal: AbortSignal): Promise<JsonReply> {
  try {
    return await ask(url, request, way, signal);
  } catch (error) {
    if (!(error instanceof StaleConnectionError) || signal.aborted) throw error;
    return ask(url, request, way, signal);
  }
}

function ask(url: URL, request: JsonRequest, way: Way, signal: AbortSignal): Promise<JsonReply> {
  const { promise, resolve, reject } = Promise.withResolvers<JsonReply>();
  const isSecure = url.protocol === "https:";
  const send = isSecure ? httpsRequest : httpRequest;
  const options = {
    method: request.body === undefined ? "GET" : "POST",
    headers: [...fieldsOf(url, request)].flat(),
    agent: isSecure ? way.https : way.http,
    lookup: way.lookup,
    signal,
    maxHeaderSize: MAX_HEAD_BYTES,
  } as const;
  // A service that switches protocols is told by nothing but the end of the connection.
  const unanswered = (): void => reject(new Error("the connection ended without an answer"));
  const sent = send(url, options, (reply) => {
    sent.off("close", unanswered);
    read(reply).then(resolve, (error: unknown) => {
      reject(error);
      sent.destroy();
    });
  });
  sent.on("error", (error) => reject(sent.reusedSocket ? new StaleConnectionError() : error));
  sent.once("close", unanswered);
  sent.end(request.body);
  return promise;
}

function fieldsOf(url: URL, { body, headers }: JsonRequest): ReadonlyMap<string, string> {
  const fields = new Map([
    ["host", url.host],
    ["accept", "application/json"],
  ]);
  if (body !== undefined) fields.set("content-type", "application/json");
  for (const [name, value] of headers ?? []) fields.set(name.toLowerCase(), value);
  if (body !== undefined) fields.set("content-length", String(Buffer.byteLength(body)));
  return fields;
}

async function read(reply: IncomingMessage): Promise<JsonReply> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new OutboundError("too_large", "the reply of the service is too large");
    chunks.push(chunk);
  }
  const cacheControl = reply.headers["cache-control"] ?? "";
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,9})/iu.exec(cacheControl)?.[1];
  return {
    status: reply.statusCode ?? 0,
    body: parsedJson(Buffer.concat(chunks).toString("utf8")),
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
  };
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // That it is no JSON is what the caller wants to know.
    return undefined;
  }
}
