import { aggregateText, isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { admissionActivation } from "./admission-activation.ts";
import type { AdmissionInput } from "./admission-activation.ts";
import { admissionEnv } from "./admission-env.ts";
import { BudgetExceeded, SharedBudget, compileExpression, evaluateExpression } from "./expression.ts";

const BUDGET = 2_500_000;

/** Whether a request is one that a webhook or policy wants to see. */
export type MatchVerdict =
  | { readonly type: "matched" }
  | { readonly type: "excluded" }
  /** That could not be told, and the failure policy is Fail. */
  | { readonly type: "error"; readonly message: string };

export interface MatchConditions {
  evaluate(input: AdmissionInput): MatchVerdict;
}

/**
 * Compiles `matchConditions`; undefined when there are none. One that is false excludes the request, whatever the others
 * say; otherwise one that fails decides by the failure policy.
 */
export function compileMatchConditions(
  value: Json | undefined,
  ignoreFailures: boolean,
  params = false,
): MatchConditions | undefined {
  const list = Array.isArray(value) ? value.filter(isObject) : [];
  if (list.length === 0) return undefined;
  const env = admissionEnv({ params, authorizer: true });
  const conditions = list.map((condition) => compileExpression(String(condition.expression ?? ""), env, ["bool"]));
  const failed = (message: string): MatchVerdict =>
    ignoreFailures ? { type: "excluded" } : { type: "error", message };
  return {
    evaluate(input) {
      const variables = admissionActivation(input);
      const budget = new SharedBudget(BUDGET);
      const errors: string[] = [];
      try {
        for (const condition of conditions) {
          const result = evaluateExpression(condition, variables, budget);
          if (!result.ok) errors.push(result.message);
          else if (result.value === false) return { type: "excluded" };
        }
      } catch (error) {
        if (error instanceof BudgetExceeded) return failed(error.message);
        throw error;
      }
      if (errors.length === 0) return { type: "matched" };
      return failed(aggregateText(errors));
    },
  };
}
