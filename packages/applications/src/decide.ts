import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { apps, autoscaling, batch, core } from "@gatewright/kube/api";
import { GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { autoscaler, replicasToHandOver } from "./children/autoscaler.ts";
import { configMap } from "./children/config-map.ts";
import { deployment } from "./children/deployment.ts";
import { isCurrent, job } from "./children/job.ts";
import { hostnameRequest } from "./children/hostname-request.ts";
import { httpRoute } from "./children/http-route.ts";
import { service } from "./children/service.ts";
import { targetGroupConfiguration } from "./children/target-group-configuration.ts";
import type { Exposure, Observation } from "./observation.ts";
import { hasSucceeded } from "./status/job-state.ts";
import { isRolledOut } from "./status/deployment-state.ts";

/** Something to do to what an Application owns. Each is safe to repeat. */
export type Effect =
  | { readonly type: "apply"; readonly resource: Resource; readonly fields: Applied<ApiObject> }
  /** Deletes an object; `Foreground` lets it stay until all of its own are gone. */
  | {
      readonly type: "remove";
      readonly resource: Resource;
      readonly object: Immutable<ApiObject>;
      readonly propagation: "Background" | "Foreground";
    }
  /** Gives the Deployment a number of replicas that somebody else may change from then on. */
  | { readonly type: "handOver"; readonly deployment: Immutable<apps.Deployment>; readonly replicas: number };

/** What an Application needs next, in order. Pure: same observation, same answer. */
export function decide(seen: Observation): readonly Effect[] {
  return seen.app.spec.runToCompletion === true ? runOnce(seen) : runAlways(seen);
}

function runAlways(seen: Observation): readonly Effect[] {
  const { app } = seen;
  const [wantedService, wantedAutoscaler] = [service(app, seen), autoscaler(app)];
  return [
    ...removed(batch.Job, seen.job),
    // Before the Deployment is given its own number of replicas again.
    ...(wantedAutoscaler === undefined ? removed(autoscaling.HorizontalPodAutoscaler, seen.autoscaler) : []),
    ...(wantedService === undefined ? removed(core.Service, seen.service) : []),
    ...applied(core.ConfigMap, configMap(app)),
    ...applied(core.Service, wantedService),
    ...handedOver(seen),
    ...applied(apps.Deployment, deployment(app)),
    ...applied(autoscaling.HorizontalPodAutoscaler, wantedAutoscaler),
    ...exposed(seen),
  ];
}

/** What leads to it from outside. The route is left as it is while it is not known where the hostname is served. */
function exposed({ app, exposure }: Observation): readonly Effect[] {
  if (exposure === undefined) return [];
  const request = hostnameRequest(app);
  if (request === undefined) return hidden(exposure);
  return [
    ...applied(exposure.targetKind, targetGroupConfiguration(app)),
    ...applied(GatewayHostnameRequest, request),
    ...applied(HTTPRoute, httpRoute(app, exposure.request)),
  ];
}

/** The hostname goes first, which takes a while; until then whoever still knows it is served. */
function hidden({ request, route, targets, targetKind }: Exposure): readonly Effect[] {
  if (request !== undefined) return removed(GatewayHostnameRequest, request);
  return [...removed(HTTPRoute, route), ...removed(targetKind, targets)];
}

function handedOver({ app, deployment: known }: Observation): readonly Effect[] {
  const replicas = replicasToHandOver(app, known);
  return known === undefined || replicas === undefined ? [] : [{ type: "handOver", deployment: known, replicas }];
}

/** A Job cannot be changed, so one of an older spec goes first, with its pods: two runs at once may do harm. */
function runOnce(seen: Observation): readonly Effect[] {
  const { app } = seen;
  const removals = [
    ...removed(autoscaling.HorizontalPodAutoscaler, seen.autoscaler),
    ...removed(apps.Deployment, seen.deployment),
    ...removed(core.Service, seen.service),
    ...(seen.exposure === undefined ? [] : hidden(seen.exposure)),
  ];
  if (seen.job !== undefined && !isCurrent(seen.job, app)) {
    return [...removals, ...removed(batch.Job, seen.job, "Foreground")];
  }
  if (hasSucceeded(app)) return removals;
  const config = applied(core.ConfigMap, configMap(app));
  return [...removals, ...config, ...(seen.job === undefined ? applied(batch.Job, job(app)) : [])];
}

/** What nothing uses any more, once the pods that are there are of the newest spec. */
export function leftovers(seen: Observation): readonly Effect[] {
  const { app, configMaps } = seen;
  const settled =
    app.spec.runToCompletion === true
      ? seen.job === undefined || isCurrent(seen.job, app)
      : seen.deployment !== undefined && isRolledOut(seen.deployment);
  if (!settled) return [];
  const wanted = configMap(app)?.metadata.name;
  return configMaps
    .filter(({ metadata }) => metadata.name !== wanted)
    .flatMap((object) => removed(core.ConfigMap, object));
}

function applied<T extends ApiObject>(resource: Resource<T>, fields: Applied<T> | undefined): readonly Effect[] {
  return fields === undefined ? [] : [{ type: "apply", resource, fields }];
}

function removed(
  resource: Resource,
  object: Immutable<ApiObject> | undefined,
  propagation: "Background" | "Foreground" = "Background",
): readonly Effect[] {
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return [];
  return [{ type: "remove", resource, object, propagation }];
}
