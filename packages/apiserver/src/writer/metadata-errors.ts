import { validateObjectMeta } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";

/** What is wrong with an object's metadata, by the rules common to all kinds. */
export function metadataErrors(resource: Resource, object: KubeObject): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced: resource.namespaced,
    nameErrors: (name, prefix) => resource.strategy.nameErrors(name, prefix),
  });
}
