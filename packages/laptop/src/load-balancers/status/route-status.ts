import type { Immutable } from "@gatewright/kube";
import type { HTTPRoute } from "@gatewright/resources";
import { setCondition } from "@gatewright/runtime";
import { attach } from "../cluster/attachment.ts";
import { resolveBackend } from "../cluster/backends.ts";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { gatewayListeners } from "../cluster/listeners.ts";
import type { ParentRef, RouteView } from "../cluster/route-view.ts";
import { CONTROLLER_NAME, GATEWAY_API, GATEWAY_AWS } from "../controller-names.ts";

type ParentStatus = NonNullable<Immutable<HTTPRoute>["status"]>["parents"][number];
type Fact = Omit<Parameters<typeof setCondition>[1], "observedGeneration">;

/**
 * How a route fares at each of its parents. What other controllers said stays; parents that are not ours, or not there, are not
 * spoken of.
 */
export function routeParents(
  view: ClusterView,
  route: RouteView,
  before: readonly ParentStatus[],
  { generation, now }: { readonly generation: number; readonly now: number },
): readonly ParentStatus[] {
  const resolved = resolvedRefs(view, route);
  const ours = route.parents.flatMap((parent): readonly ParentStatus[] => {
    const accepted = acceptance(view, route, parent);
    if (accepted === undefined) return [];
    const known = before.find(
      (each) => each.controllerName === CONTROLLER_NAME && JSON.stringify(each.parentRef) === JSON.stringify(parent),
    );
    const conditions = [accepted, resolved].reduce<ParentStatus["conditions"]>(
      (list, fact) => setCondition(list, { ...fact, observedGeneration: generation }, now),
      known?.conditions ?? [],
    );
    return [{ parentRef: parent, controllerName: CONTROLLER_NAME, conditions }];
  });
  return [...before.filter(({ controllerName }) => controllerName !== CONTROLLER_NAME), ...ours];
}

function acceptance(view: ClusterView, route: RouteView, parent: ParentRef): Fact | undefined {
  const gateway = gatewayOf(view, route, parent);
  const gatewayClass = gateway && view.gatewayClass(gateway.spec.gatewayClassName);
  if (gateway === undefined || gatewayClass?.spec.controllerName !== CONTROLLER_NAME) return undefined;
  const verdict = attach(view, route, parent, gatewayListeners(view, gateway).all);
  return verdict.accepted
    ? { type: "Accepted", status: "True", reason: "Accepted", message: "" }
    : { type: "Accepted", status: "False", reason: verdict.reason, message: verdict.message };
}

function gatewayOf(view: ClusterView, { ref }: RouteView, { group, kind, namespace = ref.namespace, name }: ParentRef) {
  if (group !== GATEWAY_API) return undefined;
  if (kind === "Gateway") return view.gateway({ namespace, name });
  const set = kind === "ListenerSet" ? view.listenerSet({ namespace, name }) : undefined;
  return set && view.gateway({ namespace: set.spec.parentRef.namespace ?? namespace, name: set.spec.parentRef.name });
}

/** The first reference that leads nowhere is told. */
function resolvedRefs(view: ClusterView, route: RouteView): Fact {
  for (const { backends, filters } of route.rules) {
    for (const backend of backends) {
      const found = resolveBackend(view, route, backend);
      if (!found.found) return unresolved(found.reason, found.message);
    }
    for (const { extensionRef: ref } of filters) {
      if (ref === undefined) continue;
      if (ref.group !== GATEWAY_AWS || ref.kind !== "ListenerRuleConfiguration") {
        return unresolved("InvalidKind", `Extensions of kind ${ref.kind} are not supported.`);
      }
      if (view.listenerRuleConfiguration({ namespace: route.ref.namespace, name: ref.name }) === undefined) {
        return unresolved("BackendNotFound", `ListenerRuleConfiguration ${ref.name} does not exist.`);
      }
    }
  }
  return { type: "ResolvedRefs", status: "True", reason: "ResolvedRefs", message: "" };
}

function unresolved(reason: string, message: string): Fact {
  return { type: "ResolvedRefs", status: "False", reason, message };
}
