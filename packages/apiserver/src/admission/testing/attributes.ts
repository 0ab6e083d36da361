import { parseGroupVersion } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { Resource } from "../../resources/resource.ts";
import type { AdmissionAttributes, Operation } from "../admission.ts";

/** A request as admission sees it, with the warnings that it collected. */
export function attributesFor(
  resource: Resource,
  operation: Operation,
  object: KubeObject | undefined,
  more: Partial<AdmissionAttributes> = {},
): AdmissionAttributes & { readonly warnings: string[] } {
  const subject = object ?? more.oldObject;
  const { name = "", namespace = "" } = subject?.metadata ?? {};
  const version = parseGroupVersion(subject?.apiVersion ?? "v1")?.version ?? "v1";
  const warnings: string[] = [];
  return {
    operation,
    kind: { group: resource.group, version, kind: resource.kind },
    resource: { group: resource.group, version, resource: resource.resource },
    subresource: "",
    namespaced: resource.namespaced,
    namespace: resource.namespaced ? namespace : "",
    name,
    object,
    oldObject: undefined,
    user: { username: "alice", uid: "1", groups: ["system:authenticated"] },
    dryRun: false,
    options: { kind: `${operation[0]}${operation.slice(1).toLowerCase()}Options`, apiVersion: "meta.k8s.io/v1" },
    warn: (text) => void warnings.push(text),
    normalize: (changed) => changed,
    ...more,
    warnings,
  };
}
