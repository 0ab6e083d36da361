import { apiRouteRows, graphqlRouteRows, grpcRouteRows, preflightRows } from "@gatewright/gateway/rows";
import type { CompiledRoute, MatchRow, RouteRows } from "@gatewright/gateway/rows";
import type { Deliverable } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import { FILES_MESSAGE, namesFile } from "./certificates.ts";
import type { CertificatePair } from "./certificates.ts";
import type { BackendTraits, Destination, RouteKind } from "./destinations.ts";
import type { EnvoySettings } from "./envoy-settings.ts";
import type { JwtRules } from "./features/authentication.ts";
import { directResponse } from "./features/direct-response.ts";
import { forwardAction } from "./features/forward.ts";
import { redirect } from "./features/redirect.ts";
import { rewrite } from "./features/rewrite.ts";
import { routeFeatures } from "./features/route-features.ts";
import type { FeatureNeeds, RouteSpec } from "./features/route-features.ts";
import { withoutFilters } from "./proxyless.ts";
import { RouteDraft } from "./route-draft.ts";
import type { Shortfall } from "./route-draft.ts";
import { encodedRows } from "./route-messages.ts";
import type { EncodedRow, RouteActionOf } from "./route-messages.ts";

/** What became of a route. */
export interface TranslatedRoute {
  readonly rows: readonly EncodedRow[];
  /** For the filter that all routes with tokens share. */
  readonly jwt: JwtRules | undefined;
  /** Shown to clients that ask for its names. */
  readonly certificate: CertificatePair | undefined;
  readonly shortfalls: readonly Shortfall[];
}

export type TraitsOf = (destination: Pick<Destination, "host" | "port">) => BackendTraits;

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
  const needs = routeFeatures(kind, deliverableKey(deliverable), spec, settings, draft);
  const action = actionOf(kind, spec, draft, needs, traitsOf, settings);
  if (settings.proxyless === true) withoutFilters(draft);
  return {
    rows: encodedRows(rows, draft, action, settings.mostPatternSize),
    jwt: needs.jwt,
    certificate: certificateOf(spec, draft),
    shortfalls: draft.shortfalls,
  };
}

function certificateOf({ tls }: RouteSpec, draft: RouteDraft): CertificatePair | undefined {
  const { certFile = "", keyFile = "" } = tls ?? {};
  if (certFile === "" || keyFile === "") return undefined;
  for (const [field, text] of Object.entries({ certFile, keyFile })) {
    if (!namesFile(text)) continue;
    draft.lacks(`tls.${field}`, FILES_MESSAGE);
    return undefined;
  }
  return { certFile, keyFile };
}

function actionOf(
  kind: RouteKind,
  spec: RouteSpec,
  draft: RouteDraft,
  { rateLimits }: FeatureNeeds,
  traitsOf: TraitsOf,
  { requestTimeoutMs }: EnvoySettings,
): RouteActionOf {
  if (kind === "APIRoute" && spec.redirect !== undefined) return redirect(spec.redirect, draft);
  if (kind === "APIRoute" && spec.directResponse !== undefined) return directResponse(spec.directResponse, draft);
  const forward = forwardAction(spec, draft, { isGrpc: kind === "GRPCRoute", requestTimeoutMs, traitsOf });
  const changes = rewrite(spec.rewrite, draft);
  if (forward === undefined) return () => NOWHERE;
  return ({ path }) => ({ case: "route", value: { ...forward, ...changes(path), rateLimits } });
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
      return grpcRouteRows(spec, route, subject);
    case "GraphQLRoute":
      return graphqlRouteRows(spec, route, subject, graphqlPath);
  }
}
