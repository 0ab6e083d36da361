import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { ownerReference } from "@gatewright/runtime";
import type { New } from "@gatewright/runtime";

/** What a pod is made from, besides its owner. */
export interface PodPlan {
  readonly template: Immutable<core.PodTemplateSpec>;
  readonly prefix: string;
  readonly name: string;
}

/** A pod of a template, controlled by its owner. */
export function podFromTemplate(
  owner: Immutable<ApiObject>,
  resource: Resource,
  { template, prefix, name }: PodPlan,
): New<core.Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const { namespace } = owner.metadata;
  return {
    metadata: {
      name,
      generateName: prefix,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [ownerReference(owner, resource)],
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  };
}
