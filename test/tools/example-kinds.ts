import type { Resource } from "@gatewright/kube";
import { apps, core, networking } from "@gatewright/kube/api";
import { allResources, gatewayResources } from "@gatewright/resources";

/** The kinds that the examples are made of. */
export const EXAMPLE_KINDS: readonly Resource[] = [
  ...allResources,
  ...gatewayResources,
  core.Namespace,
  core.Service,
  apps.Deployment,
  networking.Ingress,
];
