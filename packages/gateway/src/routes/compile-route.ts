import { authenticationFilter } from "../filters/authentication/authentication-filter.ts";
import { authorizationFilter } from "../filters/authorization/authorization-filter.ts";
import { cacheFilter } from "../filters/cache/cache-filter.ts";
import { clientValidationFilter } from "../filters/client-validation.ts";
import { compressionFilter } from "../filters/compression/compression-filter.ts";
import { corsFilter } from "../filters/cors.ts";
import { encodingFilter } from "../filters/encoding/encoding-filter.ts";
import { faultFilter } from "../filters/fault.ts";
import { headersFilter } from "../filters/headers/headers-filter.ts";
import { maxSessionsFilter } from "../filters/max-sessions.ts";
import { needsIdentity, rateLimitFilter } from "../filters/rate-limit.ts";
import { requestLimitsFilter } from "../filters/request-limits.ts";
import { securityHeadersFilter } from "../filters/security-headers.ts";
import { grpcTransformFilter } from "../filters/transform/grpc-transform.ts";
import { graphqlFilter } from "../filters/validation/graphql-filter.ts";
import { protoFilter } from "../filters/validation/proto-filter.ts";
import { openapiFilter } from "../filters/validation/openapi-filter.ts";
import { transformFilter } from "../filters/transform/transform-filter.ts";
import type { Around, Note } from "../filters/around.ts";
import type { CheckedObject } from "../configuration/checked-object.ts";
import type { Finding } from "../configuration/objects.ts";
import { specMs } from "../configuration/spec-duration.ts";
import type { KeptState } from "../kept/kept-state.ts";
import type { BackendHandle, BackendKind } from "../live/backend-book.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { MatchRow } from "../table/match-row.ts";
import type { CompileAround } from "./compile-around.ts";
import type { CompiledRoute } from "./compiled-route.ts";
import { confinedReading } from "./confined-reading.ts";
import { routeAction } from "./route-action.ts";
import { noteUnfilledNames } from "./unfilled-names.ts";
import { routeCertificate } from "./route-certificate.ts";
import type { RouteCertificate } from "./route-certificate.ts";
import { apiRouteRows } from "./rows/api-route-rows.ts";
import { graphqlRouteRows } from "./rows/graphql-route-rows.ts";
import { grpcRouteRows } from "./rows/grpc-route-rows.ts";
import { preflightRows } from "./rows/preflight-rows.ts";
import type { RouteRows } from "./rows/row-subject.ts";

/** A route, checked. */
export type CheckedRoute = Extract<CheckedObject, { readonly kind: `${string}Route` }>;

/** What became of a route. Without rows one of the findings is an error. */
export interface RouteCompilation {
  readonly rows: readonly MatchRow[];
  readonly findings: readonly Finding[];
  readonly handles: readonly BackendHandle[];
  readonly certificate?: RouteCertificate | undefined;
}

const BACKENDS: Readonly<Record<CheckedRoute["kind"], BackendKind>> = {
  APIRoute: "Backend",
  GRPCRoute: "GRPCBackend",
  GraphQLRoute: "GraphQLBackend",
};

/** Makes a route of its object: rows, filters in their order, what is done in the end. */
export function compileRoute(object: CheckedRoute, kept: KeptState, given: CompileAround): RouteCompilation {
  const { kind, namespace, name, version } = object;
  const routeId = `${kind} ${namespace}/${name}`;
  const findings: Finding[] = [];
  const handles: BackendHandle[] = [];
  let isLeftOut = false;
  const note = ({ severity, field, message, closed }: Note): void => {
    if (severity === "error" && closed !== true) isLeftOut = true;
    findings.push({ kind, namespace, name, version, severity, field, message });
  };
  const around: Around = { clock: given.clock, random: given.random, kept, routeId, note };
  const backend = (host: string, port: number): BackendHandle => {
    const handle = given.backend({ namespace, host, port, kind: BACKENDS[kind] });
    handles.push(handle);
    return handle;
  };
  const reading = confinedReading(object, around, given);
  const route: CompiledRoute = {
    id: routeId,
    kind,
    namespace,
    name,
    filters: filtersOf(object, { ...around, ...reading, fetchJson: given.fetchJson }, given),
    timeoutMs: timeoutOf(object, given),
    act: routeAction(object, around, backend),
  };
  const certificate = routeCertificate(object.spec, around, reading);
  const made = rowsOf(object, route, given);
  findings.push(...made.findings);
  if (object.kind === "APIRoute") {
    noteUnfilledNames("spec.rewrite.uri", object.spec.rewrite?.uri, made.rows, note);
    noteUnfilledNames("spec.redirect.uri", object.spec.redirect?.uri, made.rows, note);
  }
  if (isLeftOut) return { rows: [], findings, handles };
  const asked = object.spec.cors === undefined ? [] : preflightRows(made.rows);
  return { rows: [...made.rows, ...asked], findings, handles, certificate };
}

type Outside = Pick<CompileAround, "fetchJson" | "readFile" | "readBytes">;

function rowsOf(object: CheckedRoute, route: CompiledRoute, { graphqlPath }: CompileAround): RouteRows {
  switch (object.kind) {
    case "APIRoute":
      return apiRouteRows(object.spec, route, object);
    case "GRPCRoute":
      return grpcRouteRows(object.spec, route, object);
    case "GraphQLRoute":
      return graphqlRouteRows(object.spec, route, object, graphqlPath);
  }
}

/** Streams of gRPC last as long as they like unless their route says otherwise. */
function timeoutOf({ kind, spec }: CheckedRoute, { limits }: CompileAround): number | undefined {
  const given = spec.timeout === undefined ? 0 : specMs(spec.timeout, 0);
  if (given > 0) return given;
  return kind === "GRPCRoute" || limits.requestTimeoutMs === 0 ? undefined : limits.requestTimeoutMs;
}

/** The filters of a route in the order in which its requests meet them; answers meet them in the reverse. */
function filtersOf({ kind, spec }: CheckedRoute, around: Around & Outside, { limits }: CompileAround): Filter[] {
  const filters: Filter[] = [];
  const add = (filter: Filter | undefined): void => {
    if (filter !== undefined) filters.push(filter);
  };
  const isApi = kind === "APIRoute";
  if (kind !== "GRPCRoute" || spec.requestLimits !== undefined)
    add(requestLimitsFilter(spec.requestLimits, limits.maxBodyBytes));
  if (spec.tls !== undefined) add(clientValidationFilter(spec.tls, around));
  if (spec.cors !== undefined) add(corsFilter(spec.cors, around));
  if (spec.security?.enabled === true) add(securityHeadersFilter(spec.security, around));
  if (spec.headers !== undefined) add(headersFilter(spec.headers, around));
  if (spec.compression !== undefined) add(compressionFilter(spec.compression, around));
  if (kind !== "GraphQLRoute" && spec.encoding !== undefined) add(encodingFilter(spec.encoding, around));
  const limit = spec.rateLimit?.enabled === true ? spec.rateLimit : undefined;
  if (limit !== undefined && !needsIdentity(limit)) add(rateLimitFilter(limit, around));
  if (spec.maxSessions?.enabled === true) add(maxSessionsFilter(spec.maxSessions, around));
  if (spec.authentication?.enabled === true) add(authenticationFilter(spec.authentication, around));
  if (limit !== undefined && needsIdentity(limit)) add(rateLimitFilter(limit, around));
  if (spec.authorization?.enabled === true) add(authorizationFilter(spec.authorization, around));
  if (isApi && spec.openAPIValidation?.enabled === true) add(openapiFilter(spec.openAPIValidation, around));
  if (kind === "GRPCRoute" && spec.protoValidation !== undefined) add(protoFilter(spec.protoValidation, around));
  if (kind === "GraphQLRoute") add(graphqlFilter(spec, around));
  if (isApi && spec.fault !== undefined) add(faultFilter(spec.fault, around));
  if (spec.cache?.enabled === true) add(cacheFilter(spec.cache, around));
  if (isApi && spec.transform !== undefined) add(transformFilter(spec.transform, around));
  if (kind === "GRPCRoute" && spec.transform !== undefined) add(grpcTransformFilter(spec.transform, around));
  return filters;
}
