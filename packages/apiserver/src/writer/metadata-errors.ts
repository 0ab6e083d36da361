import { at, invalid, validateObjectMeta } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";

const STANDARD_FINALIZERS = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** What is wrong with an object's metadata, by the rules common to all kinds. Built-in kinds want qualified finalizers. */
export function metadataErrors(resource: Resource, object: KubeObject): FieldError[] {
  const errors = validateObjectMeta(object.metadata, {
    namespaced: resource.namespaced,
    nameErrors: (name, prefix) => resource.strategy.nameErrors(name, prefix),
  });
  // Definitions are judged like custom resources: their own cleanup finalizer is not qualified.
  if (resource.custom || resource.group === "apiextensions.k8s.io") return errors;
  object.metadata.finalizers?.forEach((finalizer, i) => {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) return;
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(invalid(at("metadata.finalizers", i), finalizer, why));
  });
  return errors;
}
