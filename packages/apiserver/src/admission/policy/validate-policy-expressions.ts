import { at, child, invalid, isObject } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import type { CelEnv } from "@gatewright/kube/cel";
import { admissionEnv } from "../expressions/admission-env.ts";
import { compileExpression } from "../expressions/expression.ts";
import { validateMatchConditions } from "../expressions/validate-match-conditions.ts";
import { compileVariables, objectsIn, textOf } from "./policy.ts";

/**
 * Errors of all expressions in a ValidatingAdmissionPolicy: those that do not compile and those of the wrong type. Empty
 * ones, names, keys and lengths are judged elsewhere.
 */
export function validatePolicyExpressions(policy: KubeObject): FieldError[] {
  const spec = isObject(policy.spec) ? policy.spec : {};
  const params = isObject(spec.paramKind);
  const { variables, known } = compileVariables(spec, params);
  const env = admissionEnv({ params, authorizer: true, ...known });
  const messageEnv = admissionEnv({ params, authorizer: false, ...known });
  const errors = validateMatchConditions(spec.matchConditions, "spec.matchConditions", params);

  const check = (text: string, path: string, within: CelEnv, results: readonly string[]): void => {
    if (text.trim() === "") return;
    const expression = compileExpression(text, within, results);
    if (!expression.ok) errors.push(invalid(path, text, expression.problem));
  };
  objectsIn(spec.variables).forEach((variable, index) => {
    const expression = variables.get(textOf(variable.name));
    if (!expression || expression.ok || expression.text.trim() === "") return;
    errors.push(invalid(child(at("spec.variables", index), "expression"), expression.text, expression.problem));
  });
  objectsIn(spec.validations).forEach((validation, index) => {
    const path = at("spec.validations", index);
    check(textOf(validation.expression), child(path, "expression"), env, ["bool"]);
    check(textOf(validation.messageExpression), child(path, "messageExpression"), messageEnv, ["string"]);
  });
  objectsIn(spec.auditAnnotations).forEach((annotation, index) => {
    const path = child(at("spec.auditAnnotations", index), "valueExpression");
    check(textOf(annotation.valueExpression), path, env, ["string", "null_type"]);
  });
  return errors;
}
