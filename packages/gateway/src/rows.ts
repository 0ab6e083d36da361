// How routes are found, for those who make another data plane find them the same way.
export type { CompiledRoute } from "./routes/compiled-route.ts";
export { apiRouteRows } from "./routes/rows/api-route-rows.ts";
export { graphqlRouteRows } from "./routes/rows/graphql-route-rows.ts";
export { grpcRouteRows } from "./routes/rows/grpc-route-rows.ts";
export { preflightRows } from "./routes/rows/preflight-rows.ts";
export type { RouteRows } from "./routes/rows/row-subject.ts";
export { quoted } from "./routes/rows/uri-path.ts";
export type { HealthCheckSpec } from "./backends/health/health-plan.ts";
export type { RateLimitSpec } from "./filters/rate-limit.ts";
export type { RetriesSpec } from "./forwarding/retry-policy.ts";
export { specMs } from "./configuration/spec-duration.ts";
export type { FieldMatch, MatchRow, PathMatch } from "./table/match-row.ts";
export { pathElements, placeholder, prefixOf } from "./table/path-elements.ts";
export { compareHosts, compareWholeRows } from "./table/whole-order.ts";
export { withNormalEscapes } from "./exchange/target.ts";
export { patternSize } from "./table/whole-pattern.ts";
