import type { Immutable } from "@gatewright/kube";
import { Application } from "@gatewright/resources";
import type { GatewayHostnameRequest, GRPCRoute, HTTPRoute } from "@gatewright/resources";

export type Route = Immutable<HTTPRoute> | Immutable<GRPCRoute>;

/** What a route has to name. */
export interface RouteParent {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What routes of a request name now, and what they have to name beside it for its hostname to be served on another Gateway. */
export function movedParents(
  { status }: Immutable<GatewayHostnameRequest>,
  to: string,
): readonly { readonly from: RouteParent; readonly to: RouteParent }[] {
  const from = status?.assignedGateway ?? "";
  return (status?.parents ?? []).flatMap((parent) => {
    const isGateway = parent.kind === "Gateway";
    if (isGateway ? parent.name !== from : !parent.name.startsWith(`${from}-`)) return [];
    return [{ from: parent, to: { ...parent, name: `${to}${parent.name.slice(from.length)}` } }];
  });
}

/**
 * Routes that name the one parent and not the other, for one of the hostnames: they would answer nothing after the move. Those of
 * Applications follow by themselves.
 */
export function routesWithout(
  routes: readonly Route[],
  hostnames: readonly string[],
  { from, to }: { readonly from: RouteParent; readonly to: RouteParent },
): readonly Route[] {
  return routes.filter(({ metadata: { namespace = "", ownerReferences = [] }, spec }) => {
    if (ownerReferences.some(({ kind }) => kind === Application.kind)) return false;
    const parents = spec.parentRefs ?? [];
    const names = (wanted: RouteParent): boolean =>
      parents.some(
        ({ kind, namespace: where = namespace, name }) =>
          kind === wanted.kind && where === wanted.namespace && name === wanted.name,
      );
    const concerned = spec.hostnames === undefined || spec.hostnames.some((each) => meets(each, hostnames));
    return concerned && names(from) && !names(to);
  });
}

/** A wildcard of a route takes any number of labels. */
function meets(hostname: string, hostnames: readonly string[]): boolean {
  const own = hostname.toLowerCase();
  return hostnames.some(
    (each) => each === own || (own.startsWith("*.") && each.endsWith(own.slice(1))) || isBelow(own, each),
  );
}

function isBelow(hostname: string, wildcard: string): boolean {
  return wildcard.startsWith("*.") && hostname.endsWith(wildcard.slice(1));
}
