import type { RequestHead } from "../exchange/exchange.ts";
import type { CompiledRoute } from "../routes/compiled-route.ts";

/** What a table looks at. */
export interface Question {
  readonly head: Pick<RequestHead, "method" | "authority" | "fields">;
  readonly path: string;
  readonly query: string;
  readonly isGrpc: boolean;
}

export interface MatchedRoute {
  readonly route: CompiledRoute;
  /** What `{name}` in the path stood for; empty for most. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Finds the route of a request. Immutable. */
export interface RouteTable {
  match(question: Question): MatchedRoute | undefined;
}
