import { aggregateText, ruleAllows } from "@gatewright/kube";
import type { PolicyRule, RuleRequest } from "@gatewright/kube";
import type { Store } from "../../store/store.ts";
import type { AccessAttributes, Authorizer, Decision } from "../authorizer.ts";
import { MASTERS } from "../user.ts";
import type { UserInfo } from "../user.ts";
import { RbacIndex } from "./rbac-index.ts";
import type { RoleRef } from "./rbac-object.ts";

/** All rules that apply to a user somewhere, and what could not be resolved. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** References to roles that are not there, in kube-apiserver's words; undefined when all were found. */
  readonly error: string | undefined;
}

/** RBAC over the Roles and bindings of a store. Members of `system:masters` may do anything. */
export interface RbacAuthorizer extends Authorizer {
  /** The rules that hold for a user in a namespace ("" for cluster-wide ones alone). */
  rulesFor(user: UserInfo, namespace: string): UserRules;
  /** The rules of a role as a binding in `namespace` would give them; undefined when there is no such role. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
  /** Stops following the store. */
  close(): void;
}

const ALLOWED: Decision = { allowed: true, reason: "" };
const NO_OPINION: Decision = { allowed: false, reason: "" };

function requestOf({ verb, resource, path }: AccessAttributes): RuleRequest {
  return resource ? { verb, ...resource } : { verb, path: path ?? "" };
}

/** Starts to follow the store; a decision is a few map lookups from then on. */
export function createRbacAuthorizer(store: Store): RbacAuthorizer {
  const index = RbacIndex.follow(store);
  return {
    authorize(attributes) {
      const { user, resource } = attributes;
      if (user.groups.includes(MASTERS)) return ALLOWED;
      const request = requestOf(attributes);
      const errors: string[] = [];
      let allowedBy = "";
      const allowed = index.some(user, resource?.namespace ?? "", (grant) => {
        if (grant.error !== undefined) errors.push(grant.error);
        allowedBy = grant.source;
        return grant.rules.some((rule) => ruleAllows(rule, request));
      });
      if (allowed) return { allowed, reason: `RBAC: allowed by ${allowedBy}` };
      return errors.length === 0 ? NO_OPINION : { allowed, reason: `RBAC: ${aggregateText(errors)}` };
    },
    rulesFor(user, namespace) {
      const seen = new Set<string>();
      const rules: PolicyRule[] = [];
      const errors: string[] = [];
      index.some(user, namespace, (grant) => {
        if (seen.has(grant.binding)) return false;
        seen.add(grant.binding);
        rules.push(...grant.rules);
        if (grant.error !== undefined) errors.push(grant.error);
        return false;
      });
      return { rules, error: errors.length === 0 ? undefined : aggregateText(errors) };
    },
    rulesOfRole: (role, namespace) => index.rulesOfRole(role, namespace),
    close: () => index.close(),
  };
}
