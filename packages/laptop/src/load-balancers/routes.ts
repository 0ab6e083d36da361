import type { Immutable } from "@gatewright/kube";
import { GRPCRoute, HTTPRoute } from "@gatewright/resources";
import { done, generationChanged, updateStatus } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { cachedView, watchesOfView } from "./cluster/cached-view.ts";
import { Dependents } from "./cluster/dependents.ts";
import { routeIndexes } from "./cluster/indexes.ts";
import { grpcRouteView, httpRouteView } from "./cluster/route-view.ts";
import type { RouteView } from "./cluster/route-view.ts";
import { routeParents } from "./status/route-status.ts";

/** Says on HTTPRoutes how they fare at the Gateways that are looked after here. What they lead to is the Gateway's concern. */
export function httpRoutes(): ControllerDefinition<HTTPRoute> {
  const dependents = new Dependents();
  return {
    name: "http-routes",
    for: HTTPRoute,
    when: generationChanged,
    indexes: routeIndexes,
    watches: watchesOfView(dependents),
    access: [{ resource: HTTPRoute, verbs: ["update"], subresource: "status" }],
    concurrency: 4,
    async reconcile(context) {
      const { object, client, signal } = context;
      if (object === undefined) return gone(dependents, context.key);
      const before = object.status?.parents ?? [];
      const parents = parentsOf(dependents, context, httpRouteView(object), before);
      if (parents.length === 0 && before.length === 0) return done();
      // The list is shared with other controllers: it is only written over the version that was read.
      await updateStatus(client, HTTPRoute, object, { parents }, { by: "replace", signal });
      return done();
    },
  };
}

/** {@inheritDoc httpRoutes} */
export function grpcRoutes(): ControllerDefinition<GRPCRoute> {
  const dependents = new Dependents();
  return {
    name: "grpc-routes",
    for: GRPCRoute,
    when: generationChanged,
    indexes: routeIndexes,
    watches: watchesOfView(dependents),
    access: [{ resource: GRPCRoute, verbs: ["update"], subresource: "status" }],
    concurrency: 4,
    async reconcile(context) {
      const { object, client, signal } = context;
      if (object === undefined) return gone(dependents, context.key);
      const before = object.status?.parents ?? [];
      const parents = parentsOf(dependents, context, grpcRouteView(object), before);
      if (parents.length === 0 && before.length === 0) return done();
      await updateStatus(client, GRPCRoute, object, { parents }, { by: "replace", signal });
      return done();
    },
  };
}

type Context = Pick<ReconcileContext<HTTPRoute>, "key" | "cached" | "clock" | "object">;

function parentsOf(
  dependents: Dependents,
  context: Omit<Context, "object"> & { readonly object: Immutable<HTTPRoute> | Immutable<GRPCRoute> | undefined },
  route: RouteView,
  before: NonNullable<Immutable<HTTPRoute>["status"]>["parents"],
) {
  const { key, cached, clock, object } = context;
  const view = cachedView(dependents.reads(key, cached));
  const generation = object?.metadata.generation ?? 0;
  return routeParents(view, route, before, { generation, now: clock.now() });
}

function gone(dependents: Dependents, key: string): Outcome {
  dependents.forget(key);
  return done();
}
