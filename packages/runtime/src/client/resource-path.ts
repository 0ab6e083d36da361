import { groupVersionPath } from "@gatewright/kube";
import type { ObjectRef, Resource } from "@gatewright/kube";

/** The path of a kind's objects: of one namespace, or of all when none is given. */
export function collectionPath(resource: Resource, namespace?: string): string {
  const base = groupVersionPath(resource);
  if (namespace === undefined) return `${base}/${resource.plural}`;
  if (!resource.namespaced) throw new TypeError(`${resource.kind} objects are in no namespace, but one was given`);
  return `${base}/namespaces/${segment(resource, "namespace", namespace)}/${resource.plural}`;
}

/** The path to create in: that of a namespace exactly when the kind has them. */
export function creationPath(resource: Resource, namespace?: string): string {
  if (resource.namespaced && namespace === undefined) {
    throw new TypeError(`${resource.kind} objects are in a namespace, but none was given`);
  }
  return collectionPath(resource, namespace);
}

/** The path of one object, or of a subresource of it. */
export function objectPath(resource: Resource, ref: ObjectRef, subresource?: string): string {
  const path = `${creationPath(resource, ref.namespace)}/${segment(resource, "name", ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** A name must never lead elsewhere: an empty one to the whole collection, dots or a slash to another object. */
function segment(resource: Resource, what: string, value: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === ".." || /[/%]/.test(value)) {
    throw new TypeError(`${JSON.stringify(value)} cannot be the ${what} of a ${resource.kind}`);
  }
  return encodeURIComponent(value);
}
