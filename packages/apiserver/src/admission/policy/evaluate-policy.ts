import type { Activation } from "@gatewright/kube/cel";
import { admissionActivation } from "../expressions/admission-activation.ts";
import type { AdmissionInput } from "../expressions/admission-activation.ts";
import { BudgetExceeded, SharedBudget, evaluateExpression } from "../expressions/expression.ts";
import type { Evaluation, Expression } from "../expressions/expression.ts";
import { LazyVariables } from "./lazy-variables.ts";
import type { Policy, Validation } from "./policy.ts";

const BUDGET = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

/** Why a policy is against a request. */
export interface Objection {
  readonly message: string;
  readonly reason: string;
  /** An objection of this kind denies the request whatever the binding's actions are. */
  readonly always?: true;
}

/** Everything that a policy has against a request, given one set of parameters. Failures count unless they are ignored. */
export function evaluatePolicy(policy: Policy, input: AdmissionInput): Objection[] {
  const failure = (message: string): Objection[] => (policy.ignoreFailures ? [] : [{ message, reason: "Invalid" }]);
  const verdict = policy.conditions?.evaluate(input);
  if (verdict?.type === "excluded") return [];
  if (verdict?.type === "error") return failure(verdict.message);

  const variables = new LazyVariables(policy.variables, () => activation);
  const activation: Activation = admissionActivation({ ...input, variables });
  const budget = new SharedBudget(BUDGET);
  const evaluate = (expression: Expression): Evaluation => {
    const result = evaluateExpression(expression, activation, budget);
    budget.spend(variables.takeCost());
    return result;
  };
  try {
    const objections: Objection[] = [];
    for (const validation of policy.validations) {
      const result = evaluate(validation.expression);
      if (!result.ok) objections.push(...failure(result.message));
      else if (result.value !== true) {
        objections.push({ message: messageOf(validation, evaluate), reason: validation.reason });
      }
    }
    for (const annotation of policy.auditAnnotations) {
      const result = evaluate(annotation);
      if (!result.ok && !policy.ignoreFailures) {
        objections.push({ message: result.message, reason: "Invalid", always: true });
      }
    }
    return objections;
  } catch (error) {
    if (error instanceof BudgetExceeded) return failure(error.message);
    throw error;
  }
}

/** A message expression wins if it gives one usable line; then the fixed message; then the expression itself. */
function messageOf(
  { expression, message, messageExpression }: Validation,
  evaluate: (expression: Expression) => Evaluation,
): string {
  if (messageExpression) {
    const result = evaluate(messageExpression);
    const text = result.ok && typeof result.value === "string" ? result.value.trim() : "";
    if (text !== "" && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES && !text.includes("\n")) return text;
  }
  return message !== "" ? message : `failed expression: ${expression.text.trim()}`;
}
