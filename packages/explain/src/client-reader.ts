import { StatusError } from "@gatewright/kube";
import type { ObjectRef, Resource } from "@gatewright/kube";
import { isForbidden, isNotFound } from "@gatewright/runtime";
import type { Client, Selection } from "@gatewright/runtime";
import type { Reader, Unreadable } from "./reader.ts";

/** Reads through a client: with its user's rights, and nobody else's. */
export function clientReader(client: Pick<Client, "for">): Reader {
  return {
    async get(resource, ref, signal) {
      try {
        const object = await client.for(resource).find(ref, within(signal));
        return object === undefined ? { state: "absent" } : { state: "present", object };
      } catch (error) {
        signal?.throwIfAborted();
        return { state: "unknown", problem: unreadable(error, "get", resource, ref) };
      }
    },
    async list(resource, selection, signal) {
      try {
        const { items } = await client.for(resource).list({ ...selection, ...within(signal) });
        return { state: "known", items };
      } catch (error) {
        signal?.throwIfAborted();
        return { state: "unknown", problem: unreadable(error, "list", resource, selection) };
      }
    },
  };
}

function within(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function unreadable(error: unknown, verb: string, resource: Resource, where: ObjectRef | Selection): Unreadable {
  const attempt = `${verb} ${attemptOf(resource, where)}`;
  const message = error instanceof Error ? error.message : String(error);
  if (isForbidden(error)) return { reason: "Forbidden", attempt, message };
  const isKindMissing = error instanceof StatusError && error.code === 404 && !isNotFound(error);
  return { reason: isKindMissing ? "NotServed" : "NoAnswer", attempt, message };
}

function attemptOf({ group, plural, namespaced }: Resource, { namespace }: ObjectRef | Selection): string {
  const what = group === "" ? plural : `${plural}.${group}`;
  if (!namespaced) return what;
  return namespace === undefined ? `${what} in all namespaces` : `${what} in namespace ${namespace}`;
}
