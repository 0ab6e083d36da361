import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { validatePolicyExpressions } from "./validate-policy-expressions.ts";

function errorsOf(spec: JsonObject): string[] {
  return validatePolicyExpressions({ apiVersion: "v1", kind: "X", metadata: { name: "p" }, spec }).map(
    formatFieldError,
  );
}

const undeclared = (name: string, text: string, column = 1): string =>
  `Invalid value: ${JSON.stringify(text)}: compilation failed: ERROR: <input>:1:${column}: undeclared reference to '${name}' (in container '')\n | ${text}\n | ${".".repeat(column - 1)}^`;

test("expressions must compile and give the right type", () => {
  const validation = (expression: string, messageExpression = ""): string[] =>
    errorsOf({ validations: [{ expression, messageExpression }] });
  const at = "spec.validations[0]";
  assert.deepEqual(validation("object.x == 1", "'a' + object.metadata.name"), []);
  assert.deepEqual(validation("object.x"), [
    `${at}.expression: Invalid value: "object.x": must evaluate to bool but got dyn`,
  ]);
  assert.deepEqual(validation("1"), [`${at}.expression: Invalid value: "1": must evaluate to bool but got int`]);
  assert.deepEqual(validation("true", "1"), [
    `${at}.messageExpression: Invalid value: "1": must evaluate to string but got int`,
  ]);
});

test("params and variables are known only where the policy has them", () => {
  const params = [{ expression: "params.x == 1" }];
  assert.deepEqual(errorsOf({ validations: params }), [
    `spec.validations[0].expression: ${undeclared("params", "params.x == 1")}`,
  ]);
  assert.deepEqual(errorsOf({ paramKind: { apiVersion: "v1", kind: "ConfigMap" }, validations: params }), []);
  const uses = [{ expression: "variables.x == 1" }];
  assert.deepEqual(errorsOf({ validations: uses }), [
    `spec.validations[0].expression: ${undeclared("variables", "variables.x == 1")}`,
  ]);
  assert.deepEqual(errorsOf({ variables: [{ name: "x", expression: "1" }], validations: uses }), []);
  assert.deepEqual(errorsOf({ variables: [{ name: "x", expression: "zz" }], validations: uses }), [
    `spec.variables[0].expression: ${undeclared("zz", "zz")}`,
  ]);
});

test("messages may not ask about permissions, audit annotations give texts, conditions truth", () => {
  const asks = "string(authorizer.path('/x').check('get').allowed())";
  assert.deepEqual(errorsOf({ validations: [{ expression: "true", messageExpression: asks }] }), [
    `spec.validations[0].messageExpression: ${undeclared("authorizer", asks, 8)}`,
  ]);
  assert.deepEqual(errorsOf({ auditAnnotations: [{ key: "k", valueExpression: "1" }] }), [
    'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
  ]);
  assert.deepEqual(errorsOf({ matchConditions: [{ name: "a", expression: "1" }] }), [
    'spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
  ]);
});
