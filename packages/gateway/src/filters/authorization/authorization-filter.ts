import type { Answer } from "../../exchange/answer.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Filter } from "../../pipeline/filter.ts";
import { closedFilter } from "../closed-filter.ts";
import { skipPaths } from "../skip-paths.ts";
import { abac } from "./abac.ts";
import type { AuthorizationSpec } from "./authorization-spec.ts";
import { opa } from "./opa.ts";
import type { OpaAround } from "./opa.ts";
import { questionOf } from "./question.ts";
import type { Decision, Question } from "./question.ts";
import { rbac } from "./rbac.ts";
import { roleHierarchy } from "./roles.ts";

type Judge = (question: Question) => Decision | undefined | Promise<Decision>;

/**
 * Demands that the identity may do what it asks for. Roles, expressions and the policy engine are asked in this order, and the first that
 * says something decides; when none does it is `defaultPolicy`. Who may not gets 403, and so does everybody when a policy fails. Without
 * an identity a client is anonymous: it has no roles, and passes only by policies that ask for none. A specification that cannot work
 * closes the route.
 */
export function authorizationFilter(spec: AuthorizationSpec, around: OpaAround): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  const judges = judgesOf(spec, around);
  if (judges.includes("closed")) return closedFilter("authorization");
  if (judges.length === 0) {
    const message = "neither rbac nor abac nor external is enabled: defaultPolicy decides alone";
    around.note({ severity: "warning", field: "spec.authorization", message });
  }
  const asked = judges.filter((judge) => judge !== "closed");
  const otherwise: Decision = spec.defaultPolicy === "allow" ? "allow" : "deny";
  const skipped = skipPaths(spec.skipPaths);
  return {
    name: "authorization",
    request(call) {
      if (skipped?.(call.path) === true) return undefined;
      const decision = decide(questionOf(call), asked, otherwise);
      return decision instanceof Promise ? decision.then(answerTo, () => answerTo("deny")) : answerTo(decision);
    },
  };
}

function judgesOf(spec: AuthorizationSpec, around: OpaAround): (Judge | "closed")[] {
  const expandRoles = roleHierarchy(spec.rbac?.roleHierarchy);
  const judges: (Judge | "closed")[] = [];
  if (spec.rbac?.enabled === true) judges.push(rbac(spec.rbac, expandRoles, around));
  if (spec.abac?.enabled === true) judges.push(abac(spec.abac, expandRoles, around));
  if (spec.external?.enabled === true) judges.push(opa(spec.external, spec.cache, around));
  return judges;
}

function decide(question: Question, judges: readonly Judge[], otherwise: Decision): Decision | Promise<Decision> {
  try {
    for (const judge of judges) {
      const decision = judge(question);
      if (decision !== undefined) return decision;
    }
    return otherwise;
  } catch {
    // A fault of ours in judging: nobody passes by it.
    return "deny";
  }
}

function answerTo(decision: Decision): Answer | undefined {
  return decision === "allow" ? undefined : localAnswer(403, "forbidden", "this is not allowed");
}
