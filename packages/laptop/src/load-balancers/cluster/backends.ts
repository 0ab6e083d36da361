import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { GATEWAY_API } from "../controller-names.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { BackendRef, RouteView } from "./route-view.ts";

export type ServicePort = NonNullable<NonNullable<core.Service["spec"]>["ports"]>[number];

/** Where a backend reference leads. */
export type Backend =
  | {
      readonly found: true;
      readonly service: ObjectRef & { readonly namespace: string };
      readonly object: Immutable<core.Service>;
      readonly port: Immutable<ServicePort>;
      readonly weight: number;
    }
  | {
      readonly found: false;
      readonly reason: "InvalidKind" | "RefNotPermitted" | "BackendNotFound";
      readonly message: string;
    };

/** Follows a reference of a route to a Service and its port. Into other namespaces it takes a ReferenceGrant there. */
export function resolveBackend(view: ClusterView, route: RouteView, backend: BackendRef): Backend {
  const { group, kind, namespace = route.ref.namespace, name, port, weight } = backend;
  if (group !== "" || kind !== "Service") {
    return unresolved("InvalidKind", `Backends of kind ${kind} are not supported; Services are.`);
  }
  if (namespace !== route.ref.namespace && !granted(view, route, namespace, name)) {
    return unresolved("RefNotPermitted", `No ReferenceGrant in ${namespace} allows to refer to Service ${name}.`);
  }
  const object = view.service({ namespace, name });
  if (object === undefined) return unresolved("BackendNotFound", `Service ${namespace}/${name} does not exist.`);
  const found = object.spec?.ports?.find((each) => each.port === port);
  if (found === undefined) return unresolved("BackendNotFound", `Service ${namespace}/${name} has no port ${port}.`);
  return { found: true, service: { namespace, name }, object, port: found, weight };
}

function granted(view: ClusterView, { kind, ref }: RouteView, namespace: string, name: string): boolean {
  return view
    .grantsIn(namespace)
    .some(
      ({ spec }) =>
        spec.from.some(
          (from) => from.group === GATEWAY_API && from.kind === kind && from.namespace === ref.namespace,
        ) && spec.to.some((to) => to.group === "" && to.kind === "Service" && (to.name ?? name) === name),
    );
}

function unresolved(reason: Extract<Backend, { found: false }>["reason"], message: string): Backend {
  return { found: false, reason, message };
}
