import type { JsonObject } from "@gatewright/kube";

/** An object that an Ingress stands for, of its own namespace. References in it are not resolved yet. */
export interface Draft {
  readonly kind: "APIRoute" | "GRPCRoute" | "Backend" | "GRPCBackend";
  readonly name: string;
  readonly spec: JsonObject;
}

/** What the annotations of an Ingress say about all its routes and all its backends. */
export interface Policies {
  readonly route: JsonObject;
  readonly backend: JsonObject;
  readonly protocol: "http" | "grpc";
  /** Backends are spoken to by TLS. */
  readonly secure: boolean;
  /** What calls of gRPC have in common, beside host and path. */
  readonly grpc: { readonly service?: JsonObject; readonly method?: JsonObject };
  /** Paths are regular expressions. */
  readonly regex: boolean;
  /** The whole path takes this one's place. */
  readonly wholeRewrite: string | undefined;
  /** Where requests of `/` are sent. */
  readonly appRoot: string | undefined;
}
