import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { startNamespaceCompanion } from "./namespace-companion.ts";

/** Gives every namespace its `default` ServiceAccount. */
export function startServiceAccountController(cluster: Cluster, deps: ControllerDeps): Controller {
  return startNamespaceCompanion(cluster, deps, {
    resource: { group: "", resource: "serviceaccounts" },
    name: "default",
    make: (namespace) => ({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } }),
    repair: () => false,
  });
}
