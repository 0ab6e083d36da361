import { forbidden, getPath, notFound } from "@gatewright/kube";
import type { GroupResource, StatusError } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";

const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };
const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/**
 * Nothing is created or changed in a namespace that does not exist, nothing new in one that is being deleted, and the
 * system's own namespaces stay.
 */
export function namespaceLifecycle(cluster: Pick<Cluster, "get">): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    mutate(attributes) {
      const { operation, kind, namespace, name, resource } = attributes;
      if (kind.group === "" && kind.kind === "Namespace") {
        if (operation === "DELETE" && attributes.subresource === "" && IMMORTAL.has(name)) {
          throw forbidden(resource, name, "this namespace may not be deleted");
        }
        return;
      }
      if (namespace === "" || (operation !== "CREATE" && operation !== "UPDATE")) return;
      // An answer about the namespace would tell whether it exists to those who may not know.
      if (resource.group === "authorization.k8s.io" && resource.resource === "localsubjectaccessreviews") return;
      const found = cluster.get(NAMESPACES, "", namespace);
      if (!found) throw notFound(NAMESPACES, namespace);
      if (operation !== "CREATE" || getPath(found, "status", "phase") !== "Terminating") return;
      throw namespaceTerminating(attributes);
    },
  };
}

/** 403 for what would be new in a namespace that is being deleted. */
export function namespaceTerminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  return refusal(attributes, why, [
    {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    },
  ]);
}
