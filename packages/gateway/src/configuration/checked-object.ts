import type {
  APIRouteSpec,
  BackendSpec,
  GRPCBackendSpec,
  GRPCRouteSpec,
  GraphQLBackendSpec,
  GraphQLRouteSpec,
} from "@gatewright/resources";
import type { ObjectKind } from "./objects.ts";

/** The specs of the kinds, as they are once they were checked: defaults are filled in. */
export interface SpecOf {
  readonly APIRoute: APIRouteSpec;
  readonly GRPCRoute: GRPCRouteSpec;
  readonly GraphQLRoute: GraphQLRouteSpec;
  readonly Backend: BackendSpec;
  readonly GRPCBackend: GRPCBackendSpec;
  readonly GraphQLBackend: GraphQLBackendSpec;
}

/** An object whose spec is what its kind's schema and rules say. `kind` tells which spec it is. */
export type CheckedObject = {
  readonly [K in ObjectKind]: {
    readonly kind: K;
    readonly namespace: string;
    readonly name: string;
    readonly version: string;
    readonly createdAt?: string;
    readonly isLocal?: true;
    readonly spec: SpecOf[K];
  };
}[ObjectKind];
