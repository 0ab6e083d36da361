import { constants } from "node:http2";
import type { OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { endToEnd, headerPairs, headerValue } from "./message.ts";
import type { Header, Inbound, Peer } from "./message.ts";

/** A request over HTTP/2. */
export function inboundFromHttp2(stream: ServerHttp2Stream, rawHeaders: readonly string[], peer: Peer): Inbound {
  const all = headerPairs(rawHeaders);
  const gone = new AbortController();
  let complete = false;
  stream.once("finish", () => {
    complete = true;
  });
  stream.once("close", () => {
    if (!complete) gone.abort();
  });
  // A client that resets a stream is told by `gone`.
  stream.on("error", () => gone.abort());
  return {
    head: {
      method: headerValue(all, ":method") ?? "GET",
      target: headerValue(all, ":path") ?? "/",
      authority: headerValue(all, ":authority") ?? headerValue(all, "host") ?? "",
      headers: joinCookies(endToEnd(all).filter(([name]) => !name.startsWith(":") && name !== "host")),
    },
    peer,
    hasBody: !stream.endAfterHeaders,
    body: stream,
    gone: gone.signal,
    answer({ status, headers, empty }, trailers) {
      if (stream.destroyed || stream.headersSent) return stream;
      const whole = empty || headerValue(all, ":method") === "HEAD";
      if (whole) complete = true;
      stream.respond(headerObject([[":status", String(status)], ...headers]), {
        endStream: whole,
        waitForTrailers: !whole && trailers !== undefined,
      });
      if (!whole && trailers !== undefined) {
        stream.once("wantTrailers", () => stream.sendTrailers(headerObject(trailers())));
      }
      return stream;
    },
    abort: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  };
}

/** HTTP/2 may split cookies over several headers; targets of HTTP/1 want one. */
function joinCookies(headers: readonly Header[]): readonly Header[] {
  const cookies = headers.filter(([name]) => name === "cookie").map(([, value]) => value);
  if (cookies.length < 2) return headers;
  return [...headers.filter(([name]) => name !== "cookie"), ["cookie", cookies.join("; ")]];
}

/** Headers as Node's HTTP/2 takes them: lower case, repeated ones together. */
export function headerObject(headers: readonly Header[]): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = Object.create(null) as OutgoingHttpHeaders;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = out[key];
    out[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [String(before)]), value];
  }
  return out;
}
