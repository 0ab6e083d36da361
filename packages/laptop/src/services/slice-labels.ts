import type { Immutable } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";
import { isHeadless } from "./pod-endpoint.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";

/** Says of endpoints that their Service has no address of its own. */
export const HEADLESS = "service.kubernetes.io/headless";

/** Whether the slice controller made a slice. Those of others are none of its business. */
export function isManagedSlice({ metadata }: Immutable<discovery.EndpointSlice>): boolean {
  return metadata.labels?.[MANAGED_BY] === MANAGER;
}

/** The labels of a Service's slices: its own, and those by which slices are found. */
export function sliceLabels(service: Immutable<core.Service>): Readonly<Record<string, string>> {
  const { [HEADLESS]: _reserved, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) && { [HEADLESS]: "" }),
    [SERVICE_NAME]: service.metadata.name ?? "",
    [MANAGED_BY]: MANAGER,
  };
}
