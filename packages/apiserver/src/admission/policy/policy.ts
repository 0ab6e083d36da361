import { isObject, parseGroupVersion } from "@gatewright/kube";
import type { GroupVersionKind, Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { CelType } from "@gatewright/kube/cel";
import { dynType } from "@gatewright/kube/cel";
import { admissionEnv } from "../expressions/admission-env.ts";
import { compileExpression } from "../expressions/expression.ts";
import type { Expression } from "../expressions/expression.ts";
import { compileMatchConditions } from "../expressions/match-conditions.ts";
import type { MatchConditions } from "../expressions/match-conditions.ts";
import { readMatchCriteria } from "../matching/match-criteria.ts";
import type { MatchCriteria } from "../matching/match-criteria.ts";

export interface Validation {
  readonly expression: Expression;
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  readonly reason: string;
}

/** A ValidatingAdmissionPolicy, compiled. */
export interface Policy {
  readonly name: string;
  readonly criteria: MatchCriteria;
  readonly ignoreFailures: boolean;
  readonly paramKind: GroupVersionKind | undefined;
  readonly conditions: MatchConditions | undefined;
  readonly variables: ReadonlyMap<string, Expression>;
  readonly validations: readonly Validation[];
  /** Their values go to an audit log that there is not; their failures count. */
  readonly auditAnnotations: readonly Expression[];
}

export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Compiles all expressions of a policy. Those that fail to compile are kept and fail when they are evaluated. */
export function readPolicy(policy: KubeObject): Policy {
  const spec = isObject(policy.spec) ? policy.spec : {};
  const paramKind = readParamKind(spec.paramKind);
  const params = paramKind !== undefined;
  const ignoreFailures = spec.failurePolicy === "Ignore";
  const { variables, known } = compileVariables(spec, params);
  const env = admissionEnv({ params, authorizer: true, ...known });
  const messageEnv = admissionEnv({ params, authorizer: false, ...known });
  return {
    name: policy.metadata.name ?? "",
    criteria: readMatchCriteria(isObject(spec.matchConstraints) ? spec.matchConstraints : {}, "resourceRules"),
    ignoreFailures,
    paramKind,
    conditions: compileMatchConditions(spec.matchConditions, ignoreFailures, params),
    variables,
    validations: objectsIn(spec.validations).map((validation) => ({
      expression: compileExpression(textOf(validation.expression), env, ["bool"]),
      message: textOf(validation.message).trim(),
      messageExpression:
        textOf(validation.messageExpression) === ""
          ? undefined
          : compileExpression(textOf(validation.messageExpression), messageEnv, ["string"]),
      reason: textOf(validation.reason) || "Invalid",
    })),
    auditAnnotations: objectsIn(spec.auditAnnotations).map((annotation) =>
      compileExpression(textOf(annotation.valueExpression), env, ["string", "null_type"]),
    ),
  };
}

/** Variables in their order: each may use those before it. `known` is what other expressions know of them, if any. */
export function compileVariables(
  spec: JsonObject,
  params: boolean,
): { readonly variables: Map<string, Expression>; readonly known: { readonly variables?: Map<string, CelType> } } {
  const declared = objectsIn(spec.variables);
  const types = new Map<string, CelType>();
  const variables = new Map<string, Expression>();
  const env = admissionEnv({ params, authorizer: true, variables: types });
  for (const variable of declared) {
    const expression = compileExpression(textOf(variable.expression), env, []);
    variables.set(textOf(variable.name), expression);
    types.set(textOf(variable.name), expression.ok ? expression.program.resultType : dynType);
  }
  return { variables, known: declared.length === 0 ? {} : { variables: types } };
}

function readParamKind(value: Json | undefined): GroupVersionKind | undefined {
  if (!isObject(value)) return undefined;
  const version = parseGroupVersion(textOf(value.apiVersion));
  return version && { ...version, kind: textOf(value.kind) };
}
