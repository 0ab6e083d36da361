import { deepFreeze, formatGroupVersion } from "@gatewright/kube";
import type { ApiObject, Immutable, JsonObject, ObjectRef, Resource } from "@gatewright/kube";
import type { Caller } from "./caller.ts";
import type { SubresourceClient } from "./client.ts";
import { APPLY_CONTENT_TYPE, patchBody } from "./patch-body.ts";
import { objectPath } from "./resource-path.ts";
import { writeObject } from "./write-object.ts";

/** Calls on one part of the objects of a kind. */
export function createSubresourceClient<S>(caller: Caller, resource: Resource, name: string): SubresourceClient<S> {
  const path = (ref: ObjectRef): string => objectPath(resource, ref, name);
  return {
    async get(ref, options = {}) {
      const answer = await caller.json({ method: "GET", path: path(ref), signal: options.signal });
      return deepFreeze(answer) as Immutable<S>;
    },
    async create(ref, body, options = {}) {
      return writeObject(caller, resource, { method: "POST", path: path(ref), body }, options);
    },
    async update(object, options = {}) {
      return writeObject(caller, resource, { method: "PUT", path: path(refIn(object)), body: object }, options);
    },
    async apply(desired, options = {}) {
      const body = name === "status" ? withKind(resource, desired) : desired;
      const call = { path: path(refIn(desired)), body, query: { force: options.force ?? true } };
      return writeObject(caller, resource, { method: "PATCH", contentType: APPLY_CONTENT_TYPE, ...call }, options);
    },
    async patch(ref, patch, options = {}) {
      return writeObject(caller, resource, { method: "PATCH", path: path(ref), ...patchBody(patch) }, options);
    },
  };
}

/** An object with the resource's apiVersion and kind. Throws when it has others: it is meant for another client. */
export function withKind(resource: Resource, object: object): JsonObject {
  const apiVersion = formatGroupVersion(resource);
  const given = object as Partial<ApiObject>;
  const fits = (given.kind ?? resource.kind) === resource.kind && (given.apiVersion ?? apiVersion) === apiVersion;
  if (!fits) throw new TypeError(`a ${given.apiVersion} ${given.kind} was given where ${resource.kind} is written`);
  return { ...object, apiVersion, kind: resource.kind };
}

/** The reference of an object that has a name. */
export function refIn(object: unknown): ObjectRef {
  const { name = "", namespace } = (object as ApiObject).metadata;
  return namespace === undefined ? { name } : { namespace, name };
}
