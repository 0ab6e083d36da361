import type { RequestHead } from "../exchange/exchange.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";
import type { PathMatch } from "./match-row.ts";

/** What a table looks at. */
export interface Question {
  readonly head: Pick<RequestHead, "method" | "authority" | "fields"> & Partial<Pick<RequestHead, "upgrade">>;
  readonly path: string;
  readonly query: string;
  readonly isGrpc: boolean;
  /** The operation of a request of GraphQL, `none` when there is none in it; undefined: nobody has looked. */
  readonly operation?: Operation | "none";
}

/** What a request of GraphQL asks for. */
export interface Operation {
  readonly type: "query" | "mutation" | "subscription";
  /** Empty: it has none. */
  readonly name: string;
}

export interface MatchedRoute {
  readonly route: CompiledRoute;
  /** How the path was compared. */
  readonly path: PathMatch;
  /** What `{name}` in the path stood for; empty for most. */
  readonly parameters: ReadonlyMap<string, string>;
  /** This is the route only if its operation is the request's: has to be asked again with it. */
  readonly needsOperation?: true;
}

/** Finds the route of a request. Immutable. */
export interface RouteTable {
  match(question: Question): MatchedRoute | undefined;
}
