import type { APIRoute } from "./api-route.ts";
import type { Backend } from "./backend.ts";
import type { GRPCBackend } from "./grpc-backend.ts";
import type { GRPCRoute } from "./grpc-route.ts";
import type { GraphQLBackend } from "./graphql-backend.ts";
import type { GraphQLRoute } from "./graphql-route.ts";

/** Specs as they are read: defaults are filled in. */
export type APIRouteSpec = APIRoute["spec"];
/** {@inheritDoc APIRouteSpec} */
export type GRPCRouteSpec = GRPCRoute["spec"];
/** {@inheritDoc APIRouteSpec} */
export type GraphQLRouteSpec = GraphQLRoute["spec"];
/** {@inheritDoc APIRouteSpec} */
export type BackendSpec = Backend["spec"];
/** {@inheritDoc APIRouteSpec} */
export type GRPCBackendSpec = GRPCBackend["spec"];
/** {@inheritDoc APIRouteSpec} */
export type GraphQLBackendSpec = GraphQLBackend["spec"];
