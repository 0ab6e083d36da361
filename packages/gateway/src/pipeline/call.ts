import type { Client, RequestHead } from "../exchange/exchange.ts";
import type { Source } from "../exchange/body.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";
import type { PathMatch } from "../table/match-row.ts";

/** Who a client has proven to be, as authentication found out and authorization judges. */
export interface Identity {
  readonly method: "jwt" | "apiKey" | "mtls" | "oidc" | "basic" | "anonymous";
  readonly subject: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
  readonly permissions: readonly string[];
  /** Everything that was claimed, as JSON gave it. Names in it are users' data. */
  readonly claims: ReadonlyMap<string, unknown>;
}

/** One request on its way through the filters of its route. Filters change `head` and `body`; the rest they read. */
export interface Call {
  readonly head: RequestHead;
  body: Source | undefined;
  readonly client: Client;
  readonly listener: string;
  readonly route: CompiledRoute;
  /** The path as it was matched, without the query. */
  readonly path: string;
  /** What came after `?`, or the empty string. */
  readonly query: string;
  /** How the route found the path. */
  readonly matched: PathMatch;
  /** What `{name}` in the route's path stood for. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The client's address after trusted proxies: for limits, logs and decisions. */
  readonly clientAddress: string;
  /** The client says that it speaks gRPC, and gets answers in its form. Rules and limits ask `isGrpcCall`. */
  readonly isGrpc: boolean;
  /** `clock.monotonic()` when the head was read. */
  readonly startedAt: number;
  identity: Identity | undefined;
  /** Which backend and endpoint were asked last, and how often: for logs, metrics and the explain page. */
  readonly trail: { backend: string; endpoint: string; attempts: number; flag: string };
  /** Sets who is told when the client is gone, the whole call has taken too long, or it failed here. Listeners are told once. */
  onAbort(listener: (reason: Error) => void): void;
}
