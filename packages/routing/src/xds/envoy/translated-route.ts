import type { APIRouteSpec, GRPCRouteSpec, GraphQLRouteSpec } from "@gatewright/resources";
import { apiRouteRows, graphqlRouteRows, grpcRouteRows, preflightRows } from "@gatewright/gateway/rows";
import type { CompiledRoute, MatchRow, RouteRows } from "@gatewright/gateway/rows";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import type { BackendTraits, Destination, RouteKind } from "./destinations.ts";
import type { EnvoySettings } from "./envoy-settings.ts";
import { forwardAction } from "./features/forward.ts";
import { RouteDraft } from "./route-draft.ts";
import type { Shortfall } from "./route-draft.ts";
import { encodedRows } from "./route-messages.ts";
import type { EncodedRow, RouteActionOf } from "./route-messages.ts";

/** What became of a route. */
export interface TranslatedRoute {
  readonly rows: readonly EncodedRow[];
  readonly shortfalls: readonly Shortfall[];
}

export type TraitsOf = (destination: Pick<Destination, "host" | "port">) => BackendTraits;

/** The specs of all kinds of routes; the feed has examined them. */
type RouteSpec = APIRouteSpec & Partial<GRPCRouteSpec> & Partial<GraphQLRouteSpec>;

const NOWHERE = {
  case: "directResponse",
  value: { status: 503, body: { specifier: { case: "inlineString", value: "the route leads nowhere\n" } } },
} as const;

/** A route as Envoy serves it. */
export function translatedRoute(
  deliverable: Deliverable,
  traitsOf: TraitsOf,
  settings: EnvoySettings,
): TranslatedRoute {
  const kind = deliverable.kind as RouteKind;
  const spec = deliverable.spec as unknown as RouteSpec;
  const draft = new RouteDraft();
  const rows = rowsOf(deliverable, kind, spec, settings);
  const action = actionOf(kind, spec, draft, traitsOf, settings);
  return { rows: encodedRows(rows, draft, action), shortfalls: draft.shortfalls };
}

function actionOf(
  kind: RouteKind,
  spec: RouteSpec,
  draft: RouteDraft,
  traitsOf: TraitsOf,
  { requestTimeoutMs }: EnvoySettings,
): RouteActionOf {
  const forward = forwardAction(spec, draft, { isGrpc: kind === "GRPCRoute", requestTimeoutMs, traitsOf });
  return () => (forward === undefined ? NOWHERE : { case: "route", value: forward });
}

/** The rows that our gateway would find it by. */
function rowsOf(
  deliverable: Deliverable,
  kind: RouteKind,
  spec: RouteSpec,
  { graphqlPath }: EnvoySettings,
): MatchRow[] {
  const { namespace, name } = deliverable;
  const route: CompiledRoute = {
    id: deliverableKey(deliverable),
    kind,
    namespace,
    name,
    filters: [],
    timeoutMs: undefined,
    act: () => Promise.reject(new Error("routes of Envoy act there")),
  };
  const made = makeRows(kind, spec, route, deliverable, graphqlPath);
  return [...made.rows, ...(spec.cors === undefined ? [] : preflightRows(made.rows))];
}

function makeRows(
  kind: RouteKind,
  spec: RouteSpec,
  route: CompiledRoute,
  subject: Deliverable,
  graphqlPath: string,
): RouteRows {
  switch (kind) {
    case "APIRoute":
      return apiRouteRows(spec, route, subject);
    case "GRPCRoute":
      return grpcRouteRows(spec as GRPCRouteSpec, route, subject);
    case "GraphQLRoute":
      return graphqlRouteRows(spec as GraphQLRouteSpec, route, subject, graphqlPath);
  }
}
