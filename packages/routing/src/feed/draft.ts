import type { ObjectKind } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import type { BackendKind } from "./surroundings.ts";

/** Something that is to be delivered, as its source says it: references are not resolved yet. */
export interface Draft {
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly name: string;
  readonly spec: JsonObject;
}

/** A Service that something leads to, and which kind of backend is made of it. */
export interface ServiceUse {
  readonly kind: BackendKind;
  /** Of who leads to it, and of the backend. */
  readonly namespace: string;
  readonly service: { readonly namespace: string; readonly name: string };
  readonly port: number;
}

/**
 * `web:8080`, or `web.other:8080` for a Service of another namespace: what the backend of a Service is called, in the namespace of who
 * leads to it. No object's name has a colon.
 */
export function serviceBackendName({ namespace, service, port }: Omit<ServiceUse, "kind">): string {
  return service.namespace === namespace ? `${service.name}:${port}` : `${service.name}.${service.namespace}:${port}`;
}

/** Which kind of backends the destinations of a kind are. */
export function backendKindOf(kind: ObjectKind): BackendKind {
  switch (kind) {
    case "GRPCRoute":
    case "GRPCBackend":
      return "GRPCBackend";
    case "GraphQLRoute":
    case "GraphQLBackend":
      return "GraphQLBackend";
    default:
      return "Backend";
  }
}
