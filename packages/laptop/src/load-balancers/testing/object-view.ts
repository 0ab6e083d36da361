import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { GRPCRoute, HTTPRoute, ListenerSet, ReferenceGrant, TargetGroupConfiguration } from "@gatewright/resources";
import { cachedView } from "../cluster/cached-view.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { grantIndexes, listenerSetIndexes, routeIndexes, targetGroupConfigurationIndexes } from "../cluster/indexes.ts";

type Index = (object: never) => readonly string[];
const INDEXES: ReadonlyMap<Resource, Readonly<Record<string, Index>>> = new Map<Resource, Record<string, Index>>([
  [HTTPRoute, routeIndexes],
  [GRPCRoute, routeIndexes],
  [ListenerSet, listenerSetIndexes],
  [ReferenceGrant, grantIndexes],
  [TargetGroupConfiguration, targetGroupConfigurationIndexes],
]);

/** An object as a test writes it, in namespace `shop` unless it says otherwise. Defaults of the schemas that matter are filled in. */
export function object(
  kind: string,
  name: string,
  spec: object = {},
  more: Partial<ApiObject["metadata"]> = {},
): ApiObject {
  const namespaced = kind !== "GatewayClass" && kind !== "Namespace";
  const metadata = { name, ...(namespaced && { namespace: "shop" }), uid: `uid-${name}`, generation: 1, ...more };
  return { kind, apiVersion: "", metadata, spec } as ApiObject;
}

const PARENT = { group: "gateway.networking.k8s.io", kind: "Gateway" };

/** A parent of a route, by default the Gateway `edge`. */
export function parent(more: object = {}): object {
  return { ...PARENT, name: "edge", ...more };
}

/** A rule of an HTTPRoute with what the schema fills in. */
export function rule(
  backends: readonly object[],
  matches: readonly object[] = [{}],
  filters?: readonly object[],
): object {
  return {
    matches: matches.map((match) => ({ path: { type: "PathPrefix", value: "/" }, ...match })),
    backendRefs: backends.map((backend) => ({ group: "", kind: "Service", weight: 1, port: 80, ...backend })),
    ...(filters && { filters }),
  };
}

/** A listener with what the schema fills in. */
export function listener(name: string, port: number, more: object = {}): object {
  return { name, port, protocol: "HTTP", allowedRoutes: { namespaces: { from: "Same" } }, ...more };
}

/** A cluster that has these objects. */
export function objectView(objects: readonly ApiObject[]): ClusterView {
  const of = <T extends ApiObject>(resource: Resource<T>): readonly Immutable<T>[] =>
    objects.filter((each) => each.kind === resource.kind) as unknown as readonly Immutable<T>[];
  return cachedView({
    get: (resource, ref: ObjectRef) => of(resource).find((each) => keyOf(each) === keyOf(ref)),
    byIndex: (resource, index, value) =>
      of(resource).filter(
        (each) =>
          INDEXES.get(resource)
            ?.[index]?.(each as never)
            .includes(value) === true,
      ),
  });
}
