import { connect } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import { headerObject } from "./inbound-http2.ts";
import { endToEnd } from "./message.ts";
import type { Header, Inbound, RequestHead, TargetAnswer } from "./message.ts";
import type { Http1Destination } from "./outbound-http1.ts";
import { TargetError } from "./target-error.ts";

/** One HTTP/2 session for each target, made anew when it has ended. */
export class Http2Pool {
  readonly #sessions = new Map<string, ClientHttp2Session>();

  session({ host, port, secure }: Http1Destination): ClientHttp2Session {
    const url = `${secure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
    const kept = this.#sessions.get(url);
    if (kept !== undefined && !kept.closed && !kept.destroyed) return kept;
    // Load balancers do not ask who signed the certificates of targets.
    const session = connect(url, { rejectUnauthorized: false });
    this.#sessions.set(url, session);
    const forget = (): void => {
      if (this.#sessions.get(url) === session) this.#sessions.delete(url);
    };
    session.on("error", forget);
    session.on("goaway", forget);
    session.on("close", forget);
    return session;
  }

  close(): void {
    for (const session of this.#sessions.values()) session.destroy();
    this.#sessions.clear();
  }
}

/** Sends a request to a target over HTTP/2, as gRPC needs it, and gives its answer once it has begun. */
export function sendHttp2(
  pool: Http2Pool,
  to: Http1Destination,
  head: RequestHead,
  { hasBody, body }: Pick<Inbound, "hasBody" | "body">,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new TargetError(502, error.message, { cause: error }));
    let stream: ClientHttp2Stream;
    try {
      stream = pool.session(to).request(requestHeaders(to, head), { endStream: !hasBody, signal });
    } catch (error) {
      // Headers that HTTP/2 cannot carry, or a session that ended this moment.
      fail(error as Error);
      return;
    }
    let trailers: readonly Header[] = [];
    stream.on("error", fail);
    stream.once("close", () => fail(new Error("the target closed the stream before it answered")));
    stream.on("trailers", (headers) => {
      trailers = headerList(headers);
    });
    stream.once("response", (headers, flags) =>
      resolve({
        head: {
          status: headers[":status"] ?? 502,
          headers: endToEnd(headerList(headers)),
          empty: (flags & END_STREAM) !== 0,
        },
        body: stream,
        trailers: () => trailers,
      }),
    );
    if (hasBody) {
      body.pipe(stream);
      stream.once("close", () => body.unpipe(stream));
    }
  });
}

const END_STREAM = 1;

function requestHeaders(to: Http1Destination, head: RequestHead): ReturnType<typeof headerObject> {
  const grpc = head.headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("application/grpc"),
  );
  return headerObject([
    [":method", head.method],
    [":path", head.target],
    [":scheme", to.secure ? "https" : "http"],
    [":authority", head.authority],
    ...head.headers,
    ...(grpc ? [["te", "trailers"] as const] : []),
  ]);
}

function headerList(headers: IncomingHttpHeaders): readonly Header[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Header[] => {
    if (name.startsWith(":") || value === undefined) return [];
    return Array.isArray(value) ? value.map((one) => [name, one] as const) : [[name, value]];
  });
}
