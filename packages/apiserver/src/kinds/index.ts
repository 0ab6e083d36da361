import type { Random } from "@gatewright/ports";
import type { ActionSubresource, Resource } from "../resources/resource.ts";
import { configMaps } from "./config-map.ts";
import { deployments } from "./deployment.ts";
import { events } from "./event.ts";
import { leases } from "./lease.ts";
import { namespaces } from "./namespace.ts";
import { pods } from "./pod.ts";
import { secrets } from "./secret.ts";
import { defaultServiceRange, ServiceAllocator } from "./service-allocator.ts";
import type { ServiceRange } from "./service-allocator.ts";
import { serviceAccounts } from "./service-account.ts";
import { services } from "./service.ts";

/** What the built-in kinds need from other rooms. */
export interface BuiltinDeps {
  /** For cluster IPs and node ports. */
  readonly random: Random;
  readonly serviceRange?: ServiceRange;
  /** `serviceaccounts/token`: answers TokenRequests. */
  readonly token?: ActionSubresource;
}

export type { ServiceRange } from "./service-allocator.ts";

/** All built-in kinds but CustomResourceDefinition and the reviews, in discovery order. */
export function builtinResources(deps: BuiltinDeps): Resource[] {
  const allocator = new ServiceAllocator(deps.random, deps.serviceRange ?? defaultServiceRange);
  return [
    configMaps(),
    events(""),
    namespaces(),
    pods(),
    secrets(),
    serviceAccounts(deps.token),
    services(allocator),
    deployments(),
    events("events.k8s.io"),
    leases(),
  ];
}
