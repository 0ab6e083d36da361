import { formatGroupResource, quote } from "@gatewright/kube";
import type { GroupResource, KubeObject, PolicyRule } from "@gatewright/kube";
import type { Store, Table } from "../../store/store.ts";
import type { UserInfo } from "../user.ts";
import { BindingIndex } from "./binding-index.ts";
import type { Grant } from "./binding-index.ts";
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, RBAC_GROUP, ROLE_BINDINGS, ROLES, rulesOf } from "./rbac-object.ts";
import type { RoleRef } from "./rbac-object.ts";

/** A grant with the rules behind it. */
export interface ResolvedGrant {
  /** Scope and name of the binding. */
  readonly binding: string;
  readonly source: string;
  readonly rules: readonly PolicyRule[];
  /** Why there are no rules: the role is not there. */
  readonly error?: string;
}

/**
 * Roles and bindings, decoded and indexed, always as new as the store's tables. `close` ends the following.
 */
export class RbacIndex {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterRoles = new Map<string, readonly PolicyRule[]>();
  readonly #clusterBindings = new BindingIndex();
  readonly #bindings = new Map<string, BindingIndex>();
  readonly #ends: (() => void)[] = [];

  /** Reads the tables and follows them from then on. */
  static follow(store: Store): RbacIndex {
    const index = new RbacIndex();
    const role = (roles: Map<string, readonly PolicyRule[]>) => ({
      set: (key: string, object: KubeObject) => void roles.set(key, rulesOf(object)),
      remove: (key: string) => void roles.delete(key),
    });
    index.#follow(store, ROLES, role(index.#roles));
    index.#follow(store, CLUSTER_ROLES, role(index.#clusterRoles));
    index.#follow(store, CLUSTER_ROLE_BINDINGS, {
      set: (_, object) => index.#clusterBindings.set(object),
      remove: (key) => index.#clusterBindings.remove(key),
    });
    index.#follow(store, ROLE_BINDINGS, {
      set: (_, object) => index.#setRoleBinding(object),
      remove: (key) => index.#removeRoleBinding(key),
    });
    return index;
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  #follow(
    store: Store,
    resource: GroupResource,
    sink: { set(key: string, object: KubeObject): void; remove(key: string): void },
  ): void {
    const table: Table = store.table(formatGroupResource(resource));
    const snapshot = table.snapshot();
    for (const entry of snapshot.entries()) sink.set(entry.key, table.decode(entry));
    const end = table.watch(snapshot.revision, ({ type, entry }) => {
      if (type === "DELETED") sink.remove(entry.key);
      else sink.set(entry.key, table.decode(entry));
    });
    if (end === "expired") throw new Error(`the newest revision of ${table.name} is outside of its own window`);
    this.#ends.push(end);
  }

  #setRoleBinding(binding: KubeObject): void {
    const namespace = binding.metadata.namespace ?? "";
    let index = this.#bindings.get(namespace);
    if (!index) this.#bindings.set(namespace, (index = new BindingIndex()));
    index.set(binding);
  }

  #removeRoleBinding(key: string): void {
    const slash = key.indexOf("/");
    const namespace = key.slice(0, slash);
    const index = this.#bindings.get(namespace);
    index?.remove(key.slice(slash + 1));
    if (index?.size === 0) this.#bindings.delete(namespace);
  }

  /** The rules of a role as a binding in `namespace` ("" for cluster bindings) refers to it. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (role.kind === "ClusterRole") return this.#clusterRoles.get(role.name);
    return role.kind === "Role" ? this.#roles.get(`${namespace}/${role.name}`) : undefined;
  }

  /**
   * Calls `visit` with everything that a user was given in a namespace ("" for the cluster alone), cluster-wide grants
   * first, until it returns true; tells whether it did.
   */
  some(user: UserInfo, namespace: string, visit: (grant: ResolvedGrant) => boolean): boolean {
    if (this.#clusterBindings.some(user, (grant) => visit(this.#resolve(grant, "")))) return true;
    const local = namespace === "" ? undefined : this.#bindings.get(namespace);
    return local !== undefined && local.some(user, (grant) => visit(this.#resolve(grant, namespace)));
  }

  #resolve({ binding, role, source }: Grant, namespace: string): ResolvedGrant {
    const rules = this.rulesOfRole(role, namespace);
    if (rules) return { binding: `${namespace}/${binding}`, source, rules };
    const missing = `${role.kind.toLowerCase()}.${RBAC_GROUP} ${quote(role.name)} not found`;
    const known = role.kind === "Role" || role.kind === "ClusterRole";
    const error = known ? missing : `unsupported role reference kind: ${quote(role.kind)}`;
    return { binding: `${namespace}/${binding}`, source, rules: [], error };
  }
}
