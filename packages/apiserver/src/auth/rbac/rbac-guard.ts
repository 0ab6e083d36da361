import {
  badRequest,
  compactRules,
  deepEqual,
  forbidden,
  formatRule,
  isObject,
  notFound,
  quote,
  StatusError,
  uncoveredRules,
} from "@gatewright/kube";
import type { GroupResource, Json, KubeObject, PolicyRule } from "@gatewright/kube";
import type { WriteContext } from "../../resources/resource.ts";
import { MASTERS } from "../user.ts";
import type { RbacAuthorizer } from "./rbac-authorizer.ts";
import {
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  RBAC_GROUP,
  ROLE_BINDINGS,
  roleRefOf,
  ROLES,
  rulesOf,
} from "./rbac-object.ts";

/**
 * Keeps users from granting what they do not hold: called by the strategies of the four RBAC kinds before a write
 * (`old` is undefined on creation). Throws 403, or 404 for a binding to a role that cannot be looked at.
 */
export type RbacGuard = (object: KubeObject, old: KubeObject | undefined, context: RbacWrite) => void;

/** What the guard looks at of a write. */
export type RbacWrite = Pick<WriteContext, "user" | "namespace">;

const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

const RESOURCES: Readonly<Record<string, GroupResource>> = {
  Role: ROLES,
  ClusterRole: CLUSTER_ROLES,
  RoleBinding: ROLE_BINDINGS,
  ClusterRoleBinding: CLUSTER_ROLE_BINDINGS,
};

export function createRbacGuard(authorizer: RbacAuthorizer): RbacGuard {
  return (object, old, context) => {
    const resource = RESOURCES[object.kind];
    if (!resource || context.user.groups.includes(MASTERS)) return;
    if (old && onlyGarbageCollection(object, old)) return;
    if (resource === ROLES || resource === CLUSTER_ROLES) guardRole(authorizer, resource, object, old, context);
    else guardBinding(authorizer, resource, object, context);
  };
}

function guardRole(
  authorizer: RbacAuthorizer,
  resource: GroupResource,
  role: KubeObject,
  old: KubeObject | undefined,
  context: RbacWrite,
): void {
  // On creation the URL names no object, so an `escalate` that is limited to names does not count.
  if (holdsVerb(authorizer, "escalate", resource, old ? (role.metadata.name ?? "") : "", context)) return;
  const name = role.metadata.name ?? "";
  const escalation = escalationOf(authorizer, rulesOf(role), context);
  if (escalation !== undefined) throw forbidden(resource, name, escalation);
  const aggregates = aggregatesRoles(role) || (old !== undefined && aggregatesRoles(old));
  if (aggregates && escalationOf(authorizer, FULL_AUTHORITY, context) !== undefined) {
    throw forbidden(resource, name, "must have cluster-admin privileges to use the aggregationRule");
  }
}

function guardBinding(
  authorizer: RbacAuthorizer,
  resource: GroupResource,
  binding: KubeObject,
  context: RbacWrite,
): void {
  const ref = roleRefOf(binding);
  const namespace = resource === ROLE_BINDINGS ? context.namespace : "";
  if (ref.kind !== "Role" && ref.kind !== "ClusterRole") {
    throw new StatusError({ code: 500, message: `unsupported role reference kind: ${quote(ref.kind)}` });
  }
  const target = ref.kind === "Role" ? ROLES : CLUSTER_ROLES;
  if (holdsVerb(authorizer, "bind", target, ref.name, { ...context, namespace })) return;
  if (ref.kind === "Role" && namespace === "") throw badRequest("Namespace parameter required.");
  const rules = authorizer.rulesOfRole(ref, namespace);
  if (!rules) throw notFound(resource, ref.name);
  const escalation = escalationOf(authorizer, rules, context);
  if (escalation !== undefined) throw forbidden(resource, binding.metadata.name ?? "", escalation);
}

function holdsVerb(
  authorizer: RbacAuthorizer,
  verb: string,
  { resource }: GroupResource,
  name: string,
  { user, namespace }: RbacWrite,
): boolean {
  const target = { group: RBAC_GROUP, version: "*", resource, subresource: "", namespace, name };
  return authorizer.authorize({ user, verb, resource: target }).allowed;
}

/** Why handing out the rules would be an escalation, or undefined when the user holds them all. */
function escalationOf(
  authorizer: RbacAuthorizer,
  rules: readonly PolicyRule[],
  { user, namespace }: RbacWrite,
): string | undefined {
  const held = authorizer.rulesFor(user, namespace);
  const missing = [...new Set(compactRules(uncoveredRules(held.rules, rules)).map(formatRule))].sort();
  if (missing.length === 0) return undefined;
  const groups = `[${user.groups.map(quote).join(" ")}]`;
  const unresolved = held.error === undefined ? "" : `; resolution errors: [${held.error}]`;
  return `user ${quote(user.username)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${missing.join("\n")}${unresolved}`;
}

function aggregatesRoles(role: KubeObject): boolean {
  const rule = role["aggregationRule"];
  return isObject(rule) && Array.isArray(rule["clusterRoleSelectors"]) && rule["clusterRoleSelectors"].length > 0;
}

/** Whether a write changes nothing but what garbage collection needs to change. */
function onlyGarbageCollection(object: KubeObject, old: KubeObject): boolean {
  const compared = (value: KubeObject): Json => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, resourceVersion: _r, ...metadata } = value.metadata;
    return { ...value, metadata };
  };
  return deepEqual(compared(object), compared(old));
}
