import type { Immutable } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";
import type { ReferenceGrant } from "@gatewright/resources";

/** Kinds that hold content which objects refer to. */
export type ContentKind = "Secret" | "ConfigMap";

/** Kinds that destinations lead to. */
export type BackendKind = "Backend" | "GRPCBackend" | "GraphQLBackend";

/** Content by key, decoded. */
export type Contents = ReadonlyMap<string, Buffer>;

/**
 * What is around an object and decides what becomes of it. `unknown`: there is one, and what it holds is on its way; whoever asked is
 * asked again when it is there.
 */
export interface Surroundings {
  contents(kind: ContentKind, namespace: string, name: string): Contents | "missing" | "unknown";
  service(namespace: string, name: string): Immutable<core.Service> | undefined;
  slices(namespace: string, service: string): readonly Immutable<discovery.EndpointSlice>[];
  hasBackend(kind: BackendKind, namespace: string, name: string): boolean;
  /** The name of the backend whose only host this is, by its steady address; of several the first. */
  backendAt(kind: BackendKind, namespace: string, address: string): string | undefined;
  /** Undefined: nobody knows yet. */
  grants(namespace: string): readonly Immutable<ReferenceGrant>[] | undefined;
}

/** Something that was looked at: `Secret shop/login`. When it changes, who looked at it looks again. */
export type Dependency = string;

/** Of what is in surroundings, by kind, namespace and name. */
export function dependencyOn(
  kind: ContentKind | BackendKind | "Service" | "EndpointSlice" | "ReferenceGrant",
  namespace: string,
  name = "",
): Dependency {
  return `${kind} ${namespace}/${name}`;
}

/** The place of a name, for what is found by an address. */
export function atAddress(address: string): string {
  return `@${address}`;
}

/** The same surroundings; what is looked at is written down, whether it is there or not. */
export function observed(around: Surroundings, seen: Set<Dependency>): Surroundings {
  return {
    contents(kind, namespace, name) {
      seen.add(dependencyOn(kind, namespace, name));
      return around.contents(kind, namespace, name);
    },
    service(namespace, name) {
      seen.add(dependencyOn("Service", namespace, name));
      return around.service(namespace, name);
    },
    slices(namespace, name) {
      seen.add(dependencyOn("EndpointSlice", namespace, name));
      return around.slices(namespace, name);
    },
    hasBackend(kind, namespace, name) {
      seen.add(dependencyOn(kind, namespace, name));
      return around.hasBackend(kind, namespace, name);
    },
    backendAt(kind, namespace, address) {
      seen.add(dependencyOn(kind, namespace, atAddress(address)));
      return around.backendAt(kind, namespace, address);
    },
    grants(namespace) {
      seen.add(dependencyOn("ReferenceGrant", namespace));
      return around.grants(namespace);
    },
  };
}
