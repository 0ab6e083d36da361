import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { apps, autoscaling, batch, core } from "@gatewright/kube/api";
import { GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import type { Application, TargetGroupConfiguration } from "@gatewright/resources";
import { controllerOf } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { homeOf } from "./children/names.ts";

/** All that decisions about an Application need: itself, what it owns, and the pods that run for it. */
export interface Observation {
  readonly app: Immutable<Application>;
  readonly deployment: Immutable<apps.Deployment> | undefined;
  readonly job: Immutable<batch.Job> | undefined;
  readonly service: Immutable<core.Service> | undefined;
  readonly autoscaler: Immutable<autoscaling.HorizontalPodAutoscaler> | undefined;
  /** What it is exposed by; undefined where hostnames are not looked after. */
  readonly exposure: Exposure | undefined;
  readonly configMaps: readonly Immutable<core.ConfigMap>[];
  /** Those that are not being deleted, newest first. */
  readonly pods: readonly Immutable<core.Pod>[];
}

/** The way to an Application from outside of the cluster. */
export interface Exposure {
  readonly request: Immutable<GatewayHostnameRequest> | undefined;
  readonly route: Immutable<HTTPRoute> | undefined;
  readonly targets: Immutable<TargetGroupConfiguration> | undefined;
  /** In the version that is served. */
  readonly targetKind: Resource<TargetGroupConfiguration>;
}

/** The index of ConfigMaps and pods by the key of their Application. */
export const BY_APPLICATION = "application";

/**
 * Reads it from the cache, which shows this process's own writes. Without a `targetKind` hostnames are not looked after. Objects of the
 * same name that are not the Application's are left out.
 */
export function observe(
  { cached, key }: Pick<ReconcileContext<Application>, "cached" | "key">,
  app: Immutable<Application>,
  { targetKind }: { readonly targetKind: Exposure["targetKind"] | undefined },
): Observation {
  const isOwn = (object: Immutable<ApiObject>): boolean => controllerOf(object)?.uid === app.metadata.uid;
  const home = homeOf(app);
  const own = <T extends ApiObject>(resource: Resource<T>): Immutable<T> | undefined => {
    const object = cached(resource).get(home);
    return object !== undefined && isOwn(object) ? object : undefined;
  };
  return {
    app,
    deployment: own(apps.Deployment),
    job: own(batch.Job),
    service: own(core.Service),
    autoscaler: own(autoscaling.HorizontalPodAutoscaler),
    exposure: targetKind && {
      request: own(GatewayHostnameRequest),
      route: own(HTTPRoute),
      targets: own(targetKind),
      targetKind,
    },
    configMaps: cached(core.ConfigMap).byIndex(BY_APPLICATION, key).filter(isOwn),
    pods: cached(core.Pod)
      .byIndex(BY_APPLICATION, key)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .sort(newestFirst),
  };
}

function newestFirst({ metadata: a }: Immutable<core.Pod>, { metadata: b }: Immutable<core.Pod>): number {
  const [left, right] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  if (left !== right) return left < right ? 1 : -1;
  return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
}
