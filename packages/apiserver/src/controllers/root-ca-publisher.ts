import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { startNamespaceCompanion } from "./namespace-companion.ts";
import { getPath } from "@gatewright/kube";

const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal " +
  "service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";
const ANNOTATION = "kubernetes.io/description";

/** Puts the certificate authority of this server into the ConfigMap `kube-root-ca.crt` of every namespace. */
export function startRootCaPublisher(cluster: Cluster, deps: ControllerDeps, caBundle: string): Controller {
  const data = { "ca.crt": caBundle };
  return startNamespaceCompanion(cluster, deps, {
    resource: { group: "", resource: "configmaps" },
    name: "kube-root-ca.crt",
    make: (namespace) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "kube-root-ca.crt", namespace, annotations: { [ANNOTATION]: DESCRIPTION } },
      data,
    }),
    repair(object) {
      const described = object.metadata.annotations?.[ANNOTATION] === DESCRIPTION;
      const keys = Object.keys((object.data ?? {}) as object);
      if (described && keys.length === 1 && getPath(object, "data", "ca.crt") === caBundle) return false;
      object.metadata.annotations = { ...object.metadata.annotations, [ANNOTATION]: DESCRIPTION };
      object.data = data;
      return true;
    },
  });
}
