import { at, child, invalid, isObject } from "@gatewright/kube";
import type { FieldError, FieldPath, Json } from "@gatewright/kube";
import { admissionEnv } from "./admission-env.ts";
import { compileExpression } from "./expression.ts";

/**
 * Errors of the expressions in a `matchConditions` list; names and presence are judged elsewhere. `params`: the policy has
 * a paramKind (webhooks never do).
 */
export function validateMatchConditions(value: Json | undefined, path: FieldPath, params: boolean): FieldError[] {
  const env = admissionEnv({ params, authorizer: true });
  return (Array.isArray(value) ? value : []).flatMap((condition, index) => {
    const text = isObject(condition) && typeof condition.expression === "string" ? condition.expression.trim() : "";
    if (text === "") return [];
    const expression = compileExpression(text, env, ["bool"]);
    return expression.ok ? [] : [invalid(child(at(path, index), "expression"), text, expression.problem)];
  });
}
