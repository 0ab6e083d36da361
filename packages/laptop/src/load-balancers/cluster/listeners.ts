import { selectorFromObject } from "@gatewright/kube";
import type { Immutable, Json, ObjectRef } from "@gatewright/kube";
import type { Gateway, ListenerSet } from "@gatewright/resources";
import { GATEWAY_API } from "../controller-names.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { RouteKind } from "./route-view.ts";

type ListenerSpec = Immutable<Gateway>["spec"]["listeners"][number];

/** Why a listener takes no routes, in the words of Gateway API. */
export interface ListenerProblem {
  readonly condition: "Accepted" | "Conflicted" | "ResolvedRefs";
  readonly reason: "UnsupportedProtocol" | "ProtocolConflict" | "HostnameConflict" | "InvalidRouteKinds";
  readonly message: string;
}

/** A listener of a Gateway or of one of its ListenerSets. */
export interface ListenerView {
  readonly owner: {
    readonly kind: "Gateway" | "ListenerSet";
    readonly ref: ObjectRef & { readonly namespace: string };
  };
  readonly spec: ListenerSpec;
  readonly kinds: readonly RouteKind[];
  /** Undefined: it is good. */
  readonly problem: ListenerProblem | undefined;
}

/** A ListenerSet that a Gateway does not take. */
export interface RefusedListenerSet {
  readonly set: Immutable<ListenerSet>;
  readonly message: string;
}

export interface GatewayListeners {
  readonly all: readonly ListenerView[];
  readonly sets: readonly Immutable<ListenerSet>[];
  readonly refused: readonly RefusedListenerSet[];
}

const KINDS: readonly RouteKind[] = ["HTTPRoute", "GRPCRoute"];

/**
 * The listeners of a Gateway: its own first, then those of ListenerSets that it takes, the oldest first. Of listeners that cannot be
 * on one load balancer together the first ones win.
 */
export function gatewayListeners(view: ClusterView, gateway: Immutable<Gateway>): GatewayListeners {
  const { namespace = "", name = "" } = gateway.metadata;
  const sets: Immutable<ListenerSet>[] = [];
  const refused: RefusedListenerSet[] = [];
  for (const set of view.listenerSetsOf({ namespace, name }).toSorted(olderFirst)) {
    if (set.metadata.deletionTimestamp !== undefined) continue;
    if (takesSet(view, gateway, set)) sets.push(set);
    else refused.push({ set, message: `the Gateway takes no ListenerSets of namespace ${set.metadata.namespace}` });
  }
  const taken: ListenerView[] = [];
  const add = (owner: ListenerView["owner"], spec: ListenerSpec): void => {
    const kinds = allowedKinds(spec);
    taken.push({ owner, spec, kinds, problem: problemOf(spec, kinds, taken) });
  };
  for (const spec of gateway.spec.listeners) add({ kind: "Gateway", ref: { namespace, name } }, spec);
  for (const { metadata, spec } of sets) {
    const ref = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    for (const listener of spec.listeners) add({ kind: "ListenerSet", ref }, listener);
  }
  return { all: taken, sets, refused };
}

/** Whether the namespace of a route, or of a ListenerSet, is one of those that are allowed. */
export function allowsNamespace(
  view: ClusterView,
  allowed: { readonly from: string; readonly selector?: unknown } | undefined,
  own: string,
  asking: string,
): boolean {
  switch (allowed?.from) {
    case "All":
      return true;
    case "Same":
      return own === asking;
    case "Selector": {
      if (allowed.selector === undefined) return false;
      const found = view.namespace(asking);
      return found !== undefined && selectorFromObject(allowed.selector as Json).matches(found.metadata.labels);
    }
    default:
      return false;
  }
}

function takesSet(view: ClusterView, gateway: Immutable<Gateway>, { metadata }: Immutable<ListenerSet>): boolean {
  const allowed = gateway.spec.allowedListeners?.namespaces;
  return allowsNamespace(view, allowed, gateway.metadata.namespace ?? "", metadata.namespace ?? "");
}

function allowedKinds({ allowedRoutes }: ListenerSpec): readonly RouteKind[] {
  const asked = allowedRoutes?.kinds ?? [];
  if (asked.length === 0) return KINDS;
  return KINDS.filter((kind) => asked.some((each) => each.kind === kind && each.group === GATEWAY_API));
}

function problemOf(
  spec: ListenerSpec,
  kinds: readonly RouteKind[],
  before: readonly ListenerView[],
): ListenerProblem | undefined {
  const { protocol, port, hostname = "" } = spec;
  if (protocol !== "HTTP" && protocol !== "HTTPS") {
    const message = `Protocol ${protocol} is not supported by application load balancers.`;
    return { condition: "Accepted", reason: "UnsupportedProtocol", message };
  }
  const others = before.filter((each) => each.spec.port === port && each.problem?.condition !== "Conflicted");
  if (others.some((each) => each.spec.protocol !== protocol)) {
    const message = `Port ${port} has another protocol already.`;
    return { condition: "Conflicted", reason: "ProtocolConflict", message };
  }
  if (others.some((each) => (each.spec.hostname ?? "") === hostname)) {
    const message = `Port ${port} has a listener for this hostname already.`;
    return { condition: "Conflicted", reason: "HostnameConflict", message };
  }
  if (kinds.length < (spec.allowedRoutes?.kinds ?? []).length) {
    const message = `Only ${KINDS.join(" and ")} are supported.`;
    return { condition: "ResolvedRefs", reason: "InvalidRouteKinds", message };
  }
  return undefined;
}

function olderFirst(a: Immutable<ListenerSet>, b: Immutable<ListenerSet>): number {
  const text = ({ metadata }: Immutable<ListenerSet>): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
  return text(a) < text(b) ? -1 : 1;
}
