import { isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Caller } from "./caller.ts";
import type { CallOptions, ResourceClient } from "./client.ts";
import { deleteCollection, deleteObject } from "./delete-object.ts";
import { isMissing } from "./error-kinds.ts";
import { objectOf } from "./object-of.ts";
import { APPLY_CONTENT_TYPE, patchBody } from "./patch-body.ts";
import { creationPath, objectPath } from "./resource-path.ts";
import { streamList } from "./stream-list.ts";
import { createSubresourceClient, refIn, withKind } from "./subresource-client.ts";
import { watchEvents } from "./watch-events.ts";
import { writeObject } from "./write-object.ts";

/** Calls on the objects of one kind. */
export function createResourceClient<T extends ApiObject>(caller: Caller, resource: Resource<T>): ResourceClient<T> {
  const path = (ref: ObjectRef): string => objectPath(resource, ref);
  const get = async (ref: ObjectRef, options: CallOptions & { readonly resourceVersion?: string } = {}) => {
    const query = { resourceVersion: options.resourceVersion };
    return objectOf(resource, await caller.json({ method: "GET", path: path(ref), query, signal: options.signal }));
  };
  return {
    get,
    async find(ref, options) {
      try {
        return await get(ref, options);
      } catch (error) {
        if (isMissing(error, resource, ref)) return undefined;
        throw error;
      }
    },
    async list(options = {}) {
      const items: Immutable<T>[] = [];
      const restart = (): void => void (items.length = 0);
      const end = await streamList(caller, resource, { ...options, restart }, (object) => items.push(object));
      return { resourceVersion: end.resourceVersion, items };
    },
    stream: (options, each) => streamList(caller, resource, options, each),
    watch: (options = {}) => watchEvents(caller, resource, options),
    async create(object, options = {}) {
      const metadata: unknown = object.metadata;
      const namespace = isObject(metadata) ? (metadata["namespace"] as string | undefined) : undefined;
      const call = { path: creationPath(resource, namespace), body: withKind(resource, object) };
      return writeObject<T>(caller, resource, { method: "POST", ...call }, options);
    },
    async update(object, options = {}) {
      const call = { path: path(refIn(object)), body: withKind(resource, object) };
      return writeObject<T>(caller, resource, { method: "PUT", ...call }, options);
    },
    async apply(desired, options = {}) {
      const call = { path: path(refIn(desired)), body: withKind(resource, desired) };
      const query = { force: options.force ?? true };
      const apply = { method: "PATCH", contentType: APPLY_CONTENT_TYPE, query, ...call } as const;
      return writeObject<T>(caller, resource, apply, options);
    },
    async patch(ref, patch, options = {}) {
      return writeObject<T>(caller, resource, { method: "PATCH", path: path(ref), ...patchBody(patch) }, options);
    },
    delete: (ref, options = {}) => deleteObject(caller, resource, ref, options),
    deleteAll: (selection) => deleteCollection(caller, resource, selection),
    status: createSubresourceClient<T>(caller, resource, "status"),
    subresource: (name) => createSubresourceClient(caller, resource, name),
  };
}
