import type { ApiObject, PolicyRule, Resource } from "@gatewright/kube";
import type { rbac } from "@gatewright/kube/api";
import { Grants } from "./grants.ts";
import type { ControllerDefinition } from "./definition.ts";

const EVENTS = { group: "events.k8s.io", plural: "events" };
const LEASES = { group: "coordination.k8s.io", plural: "leases" };

/** What access rules are made from: the part of a controller that says what it reads and writes. */
export type DeclaredAccess = Pick<ControllerDefinition<ApiObject>, "for" | "scope" | "owns" | "watches" | "access">;

export interface RbacOptions {
  /** Name of the roles. */
  readonly name: string;
  /** The lease by which the process becomes leader, if it does. */
  readonly lease?: { readonly namespace: string; readonly name: string };
  /** Whether controllers record events. Default: true. */
  readonly events?: boolean;
}

/** Roles for the service account that a process runs as. */
export interface RbacRoles {
  /** Undefined when nothing is needed across namespaces. */
  readonly clusterRole: rbac.ClusterRole | undefined;
  /** One for each namespace that something is needed in, sorted. */
  readonly roles: readonly rbac.Role[];
}

/**
 * The rules that let these controllers do what they declare, and nothing else. Kinds that they are for, own or watch can be read, in
 * the namespace of their scope where it has one. Declared access holds in all namespaces unless it names one.
 */
export function rbacFor(controllers: readonly DeclaredAccess[], options: RbacOptions): RbacRoles {
  const everywhere = new Grants();
  const within = new Map<string, Grants>();
  const grantsIn = (namespace: string | undefined, resource?: Resource): Grants => {
    if (namespace === undefined || resource?.namespaced === false) return everywhere;
    let grants = within.get(namespace);
    if (!grants) within.set(namespace, (grants = new Grants()));
    return grants;
  };

  for (const controller of controllers) {
    const { scope, owns = [], watches = [], access = [] } = controller;
    const sources = [
      ...[controller.for, ...owns].map((resource) => ({ resource, namespace: scope?.namespace })),
      ...watches.map((watch) => ({ resource: watch.resource, namespace: watch.scope.namespace })),
    ];
    for (const { resource, namespace } of sources) {
      grantsIn(namespace, resource).add(resource, ["get", "list", "watch"]);
    }
    for (const { resource, verbs, subresource, namespace, name } of access)
      grantsIn(namespace, resource).add(resource, verbs, { subresource, ...(name !== undefined && { name }) });
  }
  if (options.events ?? true) everywhere.add(EVENTS, ["create", "patch"]);
  const { lease } = options;
  if (lease) {
    const grants = grantsIn(lease.namespace);
    grants.add(LEASES, ["create"]); // a name is not known to the rules when an object is created
    grants.add(LEASES, ["get", "update"], { name: lease.name });
  }

  const clusterRules = everywhere.rules();
  return {
    clusterRole: clusterRules.length > 0 ? role("ClusterRole", { name: options.name }, clusterRules) : undefined,
    roles: [...within.keys()].sort().flatMap((namespace) => {
      const rules = within.get(namespace)!.rules(everywhere);
      return rules.length > 0 ? [role("Role", { name: options.name, namespace }, rules)] : [];
    }),
  };
}

function role<K extends "ClusterRole" | "Role">(kind: K, metadata: ApiObject["metadata"], rules: PolicyRule[]) {
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata, rules };
}
