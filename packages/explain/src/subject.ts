import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Subject } from "./answer.ts";

/** The object of a kind that is spoken of. */
export function subjectOf({ group, version, kind, namespaced }: Resource, { namespace, name }: ObjectRef): Subject {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return { apiVersion, kind, ...(namespaced && namespace !== undefined && { namespace }), name };
}

/** The same of an object. */
export function subjectOfObject({ apiVersion, kind, metadata }: Immutable<ApiObject>): Subject {
  const { namespace, name = "" } = metadata;
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
}

/** `APIRoute shop/orders`: how an object is called in sentences. */
export function subjectText({ kind, namespace, name }: Subject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
