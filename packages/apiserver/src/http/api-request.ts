import type { Duplex, Readable } from "node:stream";
import type { UserInfo } from "../auth/user.ts";

/** How a request reached the server: what authentication may rely on. */
export interface Connection {
  /** Undefined for callers in the same process. */
  readonly remoteAddress?: string;
  readonly secure: boolean;
  /** Subject of a client certificate that TLS has verified. */
  readonly certificate?: { readonly commonName: string; readonly organizations: readonly string[] };
  /** The caller is part of this process and vouches for who it acts as. */
  readonly trustedUser?: UserInfo;
}

/** A request, free of sockets: HTTP and in-process callers look the same from here on. */
export interface ApiRequest {
  readonly method: string;
  /** Decoded path, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as it was sent, with its question mark; empty when there is none. Unknown where it is left out. */
  readonly search?: string;
  /** Lower-case names; repeated headers are joined by commas, except those listed by `headerValues`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Values of a repeatable header (Impersonate-Group), one by one. */
  headerValues(name: string): readonly string[];
  readonly body: Uint8Array;
  /** In place of `body` for requests that are passed on: what the caller sends, as it comes. */
  readonly upload?: Readable;
  /** The caller asks for another protocol on this connection, and may be answered by `upgrade`. */
  readonly upgradable?: boolean;
  readonly connection: Connection;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Where a streaming answer is written. */
export interface StreamSink {
  /** False asks the writer to wait for `onDrain`; what was given is taken all the same. */
  write(chunk: Buffer): boolean;
  end(): void;
  /** Ends so that the caller sees that something is missing. Where a sink cannot, `end` must do. */
  cut?(): void;
  onDrain(listener: () => void): void;
}

/** A body that goes on: a watch. `start` is called once; the returned function is called when the caller went away. */
export interface StreamBody {
  start(sink: StreamSink): () => void;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | readonly Buffer[] | StreamBody;
  /**
   * With status 101 for an upgradable request: takes the connection over. Called once; the socket is the callee's from then on, and is
   * destroyed when the server stops.
   */
  readonly upgrade?: (socket: Duplex) => void;
}

/** The server as a function: what sockets and in-process clients are adapters to. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>;

export function isStream(body: ApiResponse["body"]): body is StreamBody {
  return "start" in body;
}
