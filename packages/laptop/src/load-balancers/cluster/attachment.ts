import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import { GATEWAY_API } from "../controller-names.ts";
import type { ClusterView } from "./cluster-view.ts";
import { commonHostnames } from "./hostnames.ts";
import { allowsNamespace } from "./listeners.ts";
import type { ListenerView } from "./listeners.ts";
import { unsupportedIn } from "./route-support.ts";
import type { ParentRef, RouteView } from "./route-view.ts";

/** A route at a listener, with the hostnames that both of them have; one that is undefined means all. */
export interface Attached {
  readonly route: RouteView;
  readonly listener: ListenerView;
  readonly hostnames: readonly (string | undefined)[];
}

/** How a route fares at one of its parents. */
export type ParentVerdict =
  | { readonly accepted: true; readonly attached: readonly Attached[] }
  | { readonly accepted: false; readonly reason: RefusalReason; readonly message: string };

export type RefusalReason =
  | "NotAllowedByListeners"
  | "NoMatchingListenerHostname"
  | "NoMatchingParent"
  | "UnsupportedValue"
  | "IncompatibleFilters";

/** Whether a reference leads to this parent. */
export function refersTo(
  parent: ParentRef,
  from: string,
  to: { readonly kind: "Gateway" | "ListenerSet"; readonly ref: ObjectRef },
): boolean {
  const { group, kind, namespace = from, name } = parent;
  return group === GATEWAY_API && kind === to.kind && namespace === to.ref.namespace && name === to.ref.name;
}

/** Judges a route at one of its parents by the listeners of the Gateway. A parent has only its own listeners to give. */
export function attach(
  view: ClusterView,
  route: RouteView,
  parent: ParentRef,
  listeners: readonly ListenerView[],
): ParentVerdict {
  const own = listeners.filter(({ owner }) => refersTo(parent, route.ref.namespace, owner));
  const meant = own.filter(
    ({ spec }) =>
      (parent.sectionName === undefined || parent.sectionName === spec.name) &&
      (parent.port === undefined || parent.port === spec.port),
  );
  if (meant.length === 0) return refused("NoMatchingParent", "No listener has the section name and port of the route.");
  const open = meant.filter(
    ({ owner, spec, kinds, problem }) =>
      problem === undefined &&
      kinds.includes(route.kind) &&
      allowsNamespace(view, spec.allowedRoutes?.namespaces, owner.ref.namespace, route.ref.namespace),
  );
  if (open.length === 0) return refused("NotAllowedByListeners", "No listener allows the route.");
  const attached = open.flatMap((listener) => {
    const hostnames = commonHostnames(listener.spec.hostname, route.hostnames);
    return hostnames.length === 0 ? [] : [{ route, listener, hostnames }];
  });
  if (attached.length === 0) {
    return refused("NoMatchingListenerHostname", "The route has no hostname in common with a listener.");
  }
  const unsupported = unsupportedIn(route);
  return unsupported === undefined ? { accepted: true, attached } : refused(unsupported.reason, unsupported.message);
}

/** All routes that are attached to listeners of a Gateway, each once for each listener. */
export function attachedRoutes(
  view: ClusterView,
  gateway: Immutable<Gateway>,
  listeners: readonly ListenerView[],
): readonly Attached[] {
  const parents = new Map<string, ListenerView["owner"]>();
  const self = { namespace: gateway.metadata.namespace ?? "", name: gateway.metadata.name ?? "" };
  for (const owner of [{ kind: "Gateway" as const, ref: self }, ...listeners.map((each) => each.owner)]) {
    parents.set(`${owner.kind}/${keyOf(owner.ref)}`, owner);
  }
  const seen = new Set<string>();
  const all: Attached[] = [];
  for (const owner of parents.values()) {
    for (const route of view.routesOf(owner.kind, owner.ref)) {
      for (const parent of route.parents) {
        if (!refersTo(parent, route.ref.namespace, owner)) continue;
        const verdict = attach(view, route, parent, listeners);
        for (const each of verdict.accepted ? verdict.attached : []) {
          const at = each.listener.owner;
          const key = [route.kind, keyOf(route.ref), at.kind, keyOf(at.ref), each.listener.spec.name].join(" ");
          if (!seen.has(key)) all.push(each);
          seen.add(key);
        }
      }
    }
  }
  return all;
}

function refused(reason: RefusalReason, message: string): ParentVerdict {
  return { accepted: false, reason, message };
}
