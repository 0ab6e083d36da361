import { core } from "@gatewright/kube/api";
import { watching } from "@gatewright/runtime";
import type { Cache } from "@gatewright/runtime";
import { endpointChanged } from "./pod-endpoint.ts";
import { BY_LABEL, labelsOfPod, servicesOfPod } from "./selected-pods.ts";

/** Watches pods for a controller of Services: a change that shows in endpoints leads to the Services that select the pod. */
export function endpointPods(cache: Pick<Cache, "informer">): ReturnType<typeof watching> {
  return watching(core.Pod, {
    map: (pod) => servicesOfPod(cache.informer(core.Service), pod),
    when: endpointChanged,
    indexes: { [BY_LABEL]: labelsOfPod },
  });
}
