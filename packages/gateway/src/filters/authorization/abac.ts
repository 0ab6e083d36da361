import { CelError, CostBudget, CostExceeded, compile } from "@gatewright/kube/cel";
import type { Clock } from "@gatewright/ports";
import type { Around } from "../around.ts";
import { abacEnvironment } from "./abac-environment.ts";
import type { AbacSpec } from "./authorization-spec.ts";
import { inOrder, policyScope } from "./policy-scope.ts";
import type { Decision, Question } from "./question.ts";
import type { ExpandRoles } from "./roles.ts";

const FIELD = "spec.authorization.abac";
/** What all expressions together may cost for one request: far more than policies need, and a few milliseconds at most. */
const BUDGET = 100_000;

/** Decides by expressions; undefined when no policy applies. */
export type Abac = (question: Question) => Decision | undefined;

/**
 * Compiles `abac`: a policy applies when its expression is true. An expression that fails, or costs too much, denies, whatever its policy
 * says. `closed`: it cannot be compiled, which was noted.
 */
export function abac(
  spec: AbacSpec,
  expandRoles: ExpandRoles,
  around: Pick<Around, "note"> & { readonly clock: Clock },
): Abac | "closed" {
  const { env, about } = abacEnvironment(around.clock, expandRoles);
  const compiled = [];
  for (const [index, policy] of (spec.policies ?? []).entries()) {
    const problem = (field: string, message: string): "closed" => {
      around.note({ severity: "error", field: `${FIELD}.policies[${index}].${field}`, message, closed: true });
      return "closed";
    };
    const scope = policyScope(policy);
    if (scope === undefined) return problem("resources", "one of them is no regular expression");
    const result = compile(policy.expression, env);
    if (!result.ok) return problem("expression", result.message);
    const { kind } = result.program.resultType;
    if (kind !== "bool" && kind !== "dyn") return problem("expression", "must be true or false");
    compiled.push({ spec: policy, scope, program: result.program });
  }
  const policies = inOrder(compiled);
  return (question) =>
    about(question, (variables) => {
      const budget = new CostBudget(BUDGET);
      for (const { scope, program } of policies) {
        if (!scope.covers(question)) continue;
        try {
          const value = program.evaluate(variables, budget);
          if (value === true) return scope.effect;
          if (value !== false) return "deny";
        } catch (error) {
          if (error instanceof CelError || error instanceof CostExceeded) return "deny";
          throw error;
        }
      }
      return undefined;
    });
}
