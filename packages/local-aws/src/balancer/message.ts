import type { Readable, Writable } from "node:stream";

/** A header as it came or goes; the name in whatever case. */
export type Header = readonly [name: string, value: string];

/** Who is at the other end of a client's connection. */
export interface Peer {
  readonly address: string;
  readonly port: number;
  /** Absent on connections without TLS. */
  readonly tls?: { readonly version: string; readonly cipher: string };
}

/** The beginning of a request, whichever version of HTTP brought it. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Host and, if there was one, the port that the client named. */
  readonly authority: string;
  /** Without those that belong to the connection, and without `host`. */
  readonly headers: readonly Header[];
}

/** The beginning of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Nothing follows, and HTTP/2 shall say so at once. */
  readonly empty: boolean;
}

/** A request of a client, to be answered once. */
export interface Inbound {
  readonly head: RequestHead;
  readonly peer: Peer;
  readonly hasBody: boolean;
  readonly body: Readable;
  /** Aborts when the client left before the answer was complete. */
  readonly gone: AbortSignal;
  /** Begins the answer; the rest is written to what this gives. `trailers` is asked when the last byte was written. */
  answer(head: AnswerHead, trailers?: () => readonly Header[]): Writable;
  /** Breaks off: the client sees that the answer is not whole. */
  abort(): void;
}

/** What a target answered. */
export interface TargetAnswer {
  readonly head: AnswerHead;
  readonly body: Readable;
  /** Known when the body has ended. */
  readonly trailers: () => readonly Header[];
}

/** The value of the first header with a name in lower case. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Pairs from the flat list in which Node tells headers as they came. */
export function headerPairs(flat: readonly string[]): readonly Header[] {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? "", flat[at + 1] ?? ""]);
  return pairs;
}

const CONNECTION_HEADERS = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Without what is said from one hop to the next only: the well-known ones, and those that `Connection` names. */
export function endToEnd(headers: readonly Header[]): readonly Header[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((part) => part.trim().toLowerCase())),
  );
  return headers.filter(([name]) => {
    const key = name.toLowerCase();
    return !CONNECTION_HEADERS.has(key) && !named.has(key);
  });
}
