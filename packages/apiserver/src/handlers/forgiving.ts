import { StatusError, formatGroupResource } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Authorizer } from "../auth/authorizer.ts";
import type { UserInfo } from "../auth/user.ts";
import { createObject } from "../writer/create.ts";
import { namespaceEntry } from "../writer/standing-namespace.ts";
import { writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import type { WriteOptions } from "./write-options.ts";

/** Kinds whose writers need not know Kubernetes. */
export interface Forgiving {
  covers(resource: GroupResource): boolean;
  mayMakeNamespaces(user: UserInfo): boolean;
}

const NAMESPACES = { group: "", version: "v1", resource: "namespaces" };

export function createForgiving(kinds: readonly GroupResource[], authorizer: Authorizer): Forgiving {
  const names = new Set(kinds.map(formatGroupResource));
  return {
    covers: (resource) => names.has(formatGroupResource(resource)),
    mayMakeNamespaces: (user) =>
      authorizer.authorize({
        user,
        verb: "create",
        resource: { ...NAMESPACES, subresource: "", namespace: "", name: "" },
      }).allowed,
  };
}

/**
 * Makes the namespace of a create that has none, as the caller and by all rules for namespaces. A caller who may not gets the 404
 * of Kubernetes later on, and so does a dry run.
 */
export async function makeMissingNamespace(call: ResourceCall, options: WriteOptions): Promise<void> {
  const { deps, resource, info, user } = call;
  const { namespace } = info;
  if (!resource.namespaced || namespace === "" || options.dryRun || !deps.forgiving.covers(resource)) return;
  if (namespaceEntry(namespace, deps.writer) || !deps.forgiving.mayMakeNamespaces(user)) return;
  const served = deps.resources.served(NAMESPACES.group, NAMESPACES.version, NAMESPACES.resource);
  if (!served) return;
  const body = served.version.normalize({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const write = { ...writeCall(call, options), ...served, namespace: "", options: {} };
  try {
    await createObject(write, body, deps.writer);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== "AlreadyExists") throw error;
  }
}

/**
 * What replaces an object when its writer did not say which version it saw. Such a writer knows nothing of finalizers and owners
 * either: where it names none, those that are there stay.
 */
export function unconditionalReplacement(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const { finalizers, ownerReferences } = old?.metadata ?? {};
  const kept = structuredClone({
    ...(finalizers !== undefined && { finalizers }),
    ...(ownerReferences !== undefined && { ownerReferences }),
  });
  return { ...object, metadata: { ...kept, ...object.metadata } };
}
