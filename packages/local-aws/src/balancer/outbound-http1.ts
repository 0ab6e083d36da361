import { Agent, request as httpRequest } from "node:http";
import type { AgentOptions, ClientRequest, IncomingMessage } from "node:http";
import { Agent as SecureAgent, request as httpsRequest } from "node:https";
import { endToEnd, headerPairs, headerValue } from "./message.ts";
import type { Inbound, RequestHead, TargetAnswer } from "./message.ts";
import type { ProbedAt } from "./probe.ts";
import { TargetError } from "./target-error.ts";

/** Kept connections to targets. */
export interface Http1Pool {
  readonly plain: Agent;
  readonly secure: SecureAgent;
}

export function createHttp1Pool(): Http1Pool {
  return pool({ keepAlive: true, maxFreeSockets: 64 });
}

function pool(options: AgentOptions): Http1Pool {
  // Load balancers do not ask who signed the certificates of targets.
  return { plain: new Agent(options), secure: new SecureAgent({ ...options, rejectUnauthorized: false }) };
}

/** New connections, kept by nobody afterwards. */
export const FRESH = pool({ keepAlive: false });
/** What a kept connection shows that the target has just closed, read from or written to. */
const CLOSED = new Set(["ECONNRESET", "EPIPE"]);

export interface Http1Destination extends ProbedAt {
  readonly secure: boolean;
}

const NO_BODY = new Set(["GET", "HEAD", "OPTIONS", "DELETE", "TRACE", "CONNECT"]);

/**
 * Sends a request to a target over HTTP/1.1 and gives its answer once it has begun. A request without a body that met a kept
 * connection which the target had just closed is sent once more, on a new one.
 */
export async function sendHttp1(
  kept: Http1Pool,
  to: Http1Destination,
  head: RequestHead,
  inbound: Pick<Inbound, "hasBody" | "body">,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  const first = startHttp1(kept, to, head, inbound.hasBody, signal);
  try {
    return answerOf(await answered(first, inbound), head.method);
  } catch (error) {
    const stale =
      first.reusedSocket &&
      !inbound.hasBody &&
      !signal.aborted &&
      CLOSED.has((error as NodeJS.ErrnoException).code ?? "");
    if (!stale) throw asTargetError(error);
  }
  // A target that closes its connections closes all of them: a second try on another kept one would meet the same.
  try {
    return answerOf(await answered(startHttp1(FRESH, to, head, false, signal), inbound), head.method);
  } catch (error) {
    throw asTargetError(error);
  }
}

/** A request whose headers are fixed and whose body is still to be sent. */
export function startHttp1(
  { plain, secure }: Http1Pool,
  to: Http1Destination,
  head: RequestHead,
  hasBody: boolean,
  signal: AbortSignal,
  upgrade: readonly string[] = [],
): ClientRequest {
  const length = headerValue(head.headers, "content-length");
  const framing = hasBody
    ? length === undefined
      ? ["Transfer-Encoding", "chunked"]
      : []
    : length === undefined && !NO_BODY.has(head.method)
      ? ["Content-Length", "0"]
      : [];
  const options = {
    host: to.host,
    port: to.port,
    method: head.method,
    path: head.target,
    headers: ["Host", head.authority, ...head.headers.flat(), ...framing, ...upgrade],
    signal,
  };
  return to.secure ? httpsRequest({ ...options, agent: secure }) : httpRequest({ ...options, agent: plain });
}

function answered(
  request: ClientRequest,
  { hasBody, body }: Pick<Inbound, "hasBody" | "body">,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays: an error after the answer began is told by the answer's own stream.
    request.on("error", reject);
    // A target that switches protocols unasked is told by nothing but this.
    request.once("close", () => reject(new Error("the connection ended without an answer")));
    if (!hasBody) {
      request.end();
      return;
    }
    body.pipe(request);
    request.once("close", () => body.unpipe(request));
  });
}

/** What a target answered over HTTP/1.1 to a request of a method. */
export function answerOf(message: IncomingMessage, method: string): TargetAnswer {
  const headers = endToEnd(headerPairs(message.rawHeaders));
  const status = message.statusCode ?? 502;
  const bodiless = method === "HEAD" || status === 204 || status === 304;
  return {
    head: { status, headers, empty: bodiless || headerValue(headers, "content-length") === "0" },
    body: message,
    trailers: () => headerPairs(message.rawTrailers),
  };
}

function asTargetError(error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new TargetError(502, code === "" ? message : code, { cause: error });
}
