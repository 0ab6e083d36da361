import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { GRPCRoute, HTTPRoute } from "@gatewright/resources";

type HttpSpec = Immutable<HTTPRoute>["spec"];
type GrpcSpec = Immutable<GRPCRoute>["spec"];
type HttpRule = HttpSpec["rules"][number];

/** A reference of a route to what it wants to be attached to. */
export type ParentRef = NonNullable<HttpSpec["parentRefs"]>[number];
export type RouteFilter = NonNullable<HttpRule["filters"]>[number];
export type BackendRef = NonNullable<HttpRule["backendRefs"]>[number];
type HeaderMatch = NonNullable<HttpRule["matches"][number]["headers"]>[number];

export type RouteKind = "HTTPRoute" | "GRPCRoute";

/** One way in which a request can meet a rule. */
export interface MatchView {
  /** `Wildcards`: with `*` for anything, as load balancers have it. */
  readonly path: { readonly type: "Exact" | "PathPrefix" | "RegularExpression" | "Wildcards"; readonly value: string };
  readonly method: string | undefined;
  readonly headers: readonly HeaderMatch[];
  readonly query: readonly HeaderMatch[];
}

export interface RuleView {
  readonly matches: readonly MatchView[];
  readonly filters: readonly RouteFilter[];
  readonly backends: readonly BackendRef[];
}

/** A route of either kind, as far as a load balancer is concerned. */
export interface RouteView {
  readonly kind: RouteKind;
  readonly ref: ObjectRef & { readonly namespace: string };
  readonly created: string;
  readonly parents: readonly ParentRef[];
  readonly hostnames: readonly string[];
  readonly rules: readonly RuleView[];
}

export function httpRouteView(route: Immutable<HTTPRoute>): RouteView {
  return {
    ...headOf("HTTPRoute", route),
    rules: route.spec.rules.map(({ matches, filters = [], backendRefs = [] }) => ({
      matches: matches.map(({ path, method, headers = [], queryParams = [] }) => ({
        path,
        method,
        headers,
        query: queryParams,
      })),
      filters,
      backends: backendRefs,
    })),
  };
}

/** A gRPC call is a request for a path of two elements, service and method. */
export function grpcRouteView(route: Immutable<GRPCRoute>): RouteView {
  const rules: GrpcSpec["rules"] = route.spec.rules;
  return {
    ...headOf("GRPCRoute", route),
    rules: (rules ?? []).map(({ matches, filters = [], backendRefs = [] }) => ({
      matches: (matches === undefined || matches.length === 0 ? [{}] : matches).map((match) => ({
        path: callPath(match.method),
        method: undefined,
        headers: match.headers ?? [],
        query: [],
      })),
      filters,
      backends: backendRefs,
    })),
  };
}

type CallMatch = { readonly type: string; readonly service?: string; readonly method?: string };

function callPath(call: CallMatch | undefined): MatchView["path"] {
  if (call === undefined) return { type: "PathPrefix", value: "/" };
  const { type, service, method } = call;
  if (type === "RegularExpression") {
    return { type, value: `/${service ?? "[^/]+"}/${method ?? "[^/]+"}` };
  }
  if (service !== undefined && method !== undefined) return { type: "Exact", value: `/${service}/${method}` };
  return { type: "Wildcards", value: `/${service ?? "*"}/${method ?? "*"}` };
}

function headOf(kind: RouteKind, { metadata, spec }: Immutable<HTTPRoute> | Immutable<GRPCRoute>) {
  const { namespace = "", name = "" } = metadata;
  return {
    kind,
    ref: { namespace, name },
    created: metadata.creationTimestamp ?? "",
    parents: spec.parentRefs ?? [],
    hostnames: spec.hostnames ?? [],
  };
}
