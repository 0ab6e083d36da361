import type { APIRouteSpec, GRPCRouteSpec, GraphQLRouteSpec } from "@gatewright/resources";
import type { RouteKind } from "../destinations.ts";
import type { EnvoySettings } from "../envoy-settings.ts";
import type { RouteDraft } from "../route-draft.ts";
import { authentication } from "./authentication.ts";
import type { JwtRules } from "./authentication.ts";
import { authorization } from "./authorization.ts";
import { clientCertificate } from "./client-certificate.ts";
import { compression } from "./compression.ts";
import { cors } from "./cors.ts";
import { fault } from "./fault.ts";
import { headers } from "./headers.ts";
import { rateLimit } from "./rate-limit.ts";
import type { RateLimits } from "./rate-limit.ts";
import { requestLimits } from "./request-limits.ts";
import { security } from "./security.ts";
import { graphql, transform, unsupported } from "./unsupported.ts";

/** The specs of all kinds of routes; the feed has examined them. */
export type RouteSpec = APIRouteSpec & Partial<GRPCRouteSpec> & Partial<GraphQLRouteSpec>;

/** What features say that does not stand in the route itself. */
export interface FeatureNeeds {
  readonly jwt: JwtRules | undefined;
  readonly rateLimits: RateLimits;
}

/** Everything that a route does to requests and answers besides leading them somewhere. */
export function routeFeatures(
  kind: RouteKind,
  key: string,
  spec: RouteSpec,
  settings: EnvoySettings,
  draft: RouteDraft,
): FeatureNeeds {
  unsupported(spec, draft);
  if (spec.requestLimits !== undefined) requestLimits(spec.requestLimits, draft);
  if (spec.tls !== undefined) clientCertificate(spec.tls, settings, draft);
  if (spec.cors !== undefined) cors(spec.cors, draft);
  if (spec.security !== undefined) security(spec.security, draft);
  if (spec.headers !== undefined) headers(spec.headers, draft);
  if (spec.compression?.enabled === true) {
    if (kind === "GRPCRoute") draft.lacks("compression", "messages are passed on as they are");
    else compression(spec.compression, draft);
  }
  const rateLimits = spec.rateLimit === undefined ? [] : rateLimit(spec.rateLimit, draft);
  const jwt = spec.authentication === undefined ? undefined : authentication(spec.authentication, key, draft);
  const rolesClaim = spec.authentication?.jwt?.claimMapping?.roles || "roles";
  if (spec.authorization !== undefined) authorization(spec.authorization, rolesClaim, draft);
  if (kind === "APIRoute" && spec.fault !== undefined) fault(spec.fault, draft);
  if (kind !== "GraphQLRoute" && spec.transform !== undefined) transform(spec.transform, draft);
  if (kind === "GraphQLRoute") graphql(spec, draft);
  return { jwt, rateLimits };
}
