import type { Around } from "../around.ts";
import type { RbacSpec } from "./authorization-spec.ts";
import { inOrder, policyScope } from "./policy-scope.ts";
import type { Decision, Question } from "./question.ts";
import type { ExpandRoles } from "./roles.ts";

const FIELD = "spec.authorization.rbac";

/** Decides by roles; undefined when no policy applies. */
export type Rbac = (question: Question) => Decision | undefined;

/**
 * Compiles `rbac`. A policy applies to those who have one of its roles, or to everybody when it names none; `*` stands for everybody who has
 * proven who they are. `closed`: it cannot be compiled, which was noted.
 */
export function rbac(spec: RbacSpec, expandRoles: ExpandRoles, around: Pick<Around, "note">): Rbac | "closed" {
  const compiled = [];
  for (const [index, policy] of (spec.policies ?? []).entries()) {
    const field = `${FIELD}.policies[${index}]`;
    const scope = policyScope(policy);
    if (scope === undefined) {
      const message = "one of them is no regular expression";
      around.note({ severity: "error", field: `${field}.resources`, message, closed: true });
      return "closed";
    }
    const roles = policy.roles ?? [];
    const unbounded = [roles, policy.resources ?? [], policy.actions ?? []].every((list) => list.length === 0);
    if (unbounded && scope.effect === "allow") {
      const message = "names no role, resource or action, and so allows everything to everybody";
      around.note({ severity: "warning", field, message });
    }
    compiled.push({ spec: policy, scope, roles, known: roles.includes("*") });
  }
  const policies = inOrder(compiled);
  return (question) => {
    const { identity } = question;
    let expanded: ReadonlySet<string> | undefined;
    for (const { scope, roles, known } of policies) {
      if (!scope.covers(question)) continue;
      if (roles.length > 0 && !(known && identity.method !== "anonymous")) {
        const has = (expanded ??= expandRoles(identity.roles));
        if (!roles.some((role) => has.has(role))) continue;
      }
      return scope.effect;
    }
    return undefined;
  };
}
