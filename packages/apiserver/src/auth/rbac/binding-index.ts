import { quote } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { serviceAccountUsername } from "../service-account-name.ts";
import type { UserInfo } from "../user.ts";
import { roleRefOf, subjectsOf } from "./rbac-object.ts";
import type { RoleRef, Subject } from "./rbac-object.ts";

/** That a binding gives a role to a subject. */
export interface Grant {
  /** Name of the binding, unique in its scope. */
  readonly binding: string;
  readonly role: RoleRef;
  /** `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`: why a request was allowed. */
  readonly source: string;
}

/** Users and groups as one key space; a service account is the user of its name. */
function subjectKey(subject: Subject, bindingNamespace: string): string | undefined {
  switch (subject.kind) {
    case "User":
      return `u:${subject.name}`;
    case "Group":
      return `g:${subject.name}`;
    case "ServiceAccount": {
      const namespace = subject.namespace || bindingNamespace;
      return namespace === "" ? undefined : `u:${serviceAccountUsername(namespace, subject.name)}`;
    }
    default:
      return undefined;
  }
}

function describeSubject(subject: Subject, bindingNamespace: string): string {
  if (subject.kind !== "ServiceAccount") return `${subject.kind} ${quote(subject.name)}`;
  return `ServiceAccount ${quote(`${subject.name}/${subject.namespace || bindingNamespace}`)}`;
}

function describe(binding: KubeObject, role: RoleRef, subject: Subject): string {
  const { name = "", namespace = "" } = binding.metadata;
  const which = namespace === "" ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${which} of ${role.kind} ${quote(role.name)} to ${describeSubject(subject, namespace)}`;
}

/**
 * The bindings of one scope (the cluster, or one namespace) by whom they name, so that looking up a user costs what the
 * user was given, not what exists.
 */
export class BindingIndex {
  readonly #byBinding = new Map<string, ReadonlySet<string>>();
  readonly #bySubject = new Map<string, Map<string, Grant>>();

  get size(): number {
    return this.#byBinding.size;
  }

  set(binding: KubeObject): void {
    const { name = "", namespace = "" } = binding.metadata;
    this.remove(name);
    const role = roleRefOf(binding);
    const grants = new Map<string, Grant>();
    for (const subject of subjectsOf(binding)) {
      const key = subjectKey(subject, namespace);
      if (key === undefined || grants.has(key)) continue;
      grants.set(key, { binding: name, role, source: describe(binding, role, subject) });
    }
    for (const [key, grant] of grants) {
      const known = this.#bySubject.get(key);
      if (known) known.set(name, grant);
      else this.#bySubject.set(key, new Map([[name, grant]]));
    }
    this.#byBinding.set(name, new Set(grants.keys()));
  }

  remove(name: string): void {
    for (const key of this.#byBinding.get(name) ?? []) {
      const bindings = this.#bySubject.get(key);
      bindings?.delete(name);
      if (bindings?.size === 0) this.#bySubject.delete(key);
    }
    this.#byBinding.delete(name);
  }

  /**
   * Calls `visit` with what the bindings give to a user until it returns true, and tells whether it did. A binding that
   * names the user in several ways is visited several times.
   */
  some(user: UserInfo, visit: (grant: Grant) => boolean): boolean {
    if (this.#someOf(`u:${user.username}`, visit)) return true;
    for (const group of user.groups) if (this.#someOf(`g:${group}`, visit)) return true;
    return false;
  }

  #someOf(subject: string, visit: (grant: Grant) => boolean): boolean {
    const grants = this.#bySubject.get(subject);
    if (grants) for (const grant of grants.values()) if (visit(grant)) return true;
    return false;
  }
}
