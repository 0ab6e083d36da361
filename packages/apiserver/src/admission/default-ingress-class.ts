import { ensurePath } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { AdmissionPlugin } from "./admission.ts";

const INGRESS_CLASSES: GroupResource = { group: "networking.k8s.io", resource: "ingressclasses" };
const IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";
const LEGACY_CLASS = "kubernetes.io/ingress.class";

/** An Ingress that names no class gets the default one; of several defaults the newest. */
export function defaultIngressClass(cluster: Pick<Cluster, "list">): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    mutate({ operation, resource, subresource, object: ingress }) {
      if (operation !== "CREATE" || !ingress || subresource !== "") return;
      if (resource.group !== "networking.k8s.io" || resource.resource !== "ingresses") return;
      const spec = ensurePath(ingress, "spec");
      if (spec.ingressClassName !== undefined || Object.hasOwn(ingress.metadata.annotations ?? {}, LEGACY_CLASS))
        return;
      let newest: KubeObject | undefined;
      for (const found of cluster.list(INGRESS_CLASSES)) {
        if (found.metadata.annotations?.[IS_DEFAULT] === "true" && (!newest || madeAt(found) > madeAt(newest)))
          newest = found;
      }
      if (newest) spec.ingressClassName = newest.metadata.name ?? "";
    },
  };
}

/** Creation times are RFC 3339 in UTC, so they sort as texts. */
function madeAt(object: KubeObject): string {
  return object.metadata.creationTimestamp ?? "";
}
