import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { ownerReference } from "@gatewright/runtime";
import type { New } from "@gatewright/runtime";
import { podNamePrefix } from "./pod-names.ts";

/** A pod of a template, controlled by its owner. */
export function podFromTemplate(
  owner: Immutable<ApiObject>,
  resource: Resource,
  template: Immutable<core.PodTemplateSpec>,
  name: string,
): New<core.Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const { namespace, name: ownerName = "" } = owner.metadata;
  return {
    metadata: {
      name,
      generateName: podNamePrefix(ownerName),
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [ownerReference(owner, resource)],
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  };
}
