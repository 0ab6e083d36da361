import assert from "node:assert/strict";
import { test } from "node:test";
import { CostBudget } from "../budget.ts";
import { compile } from "../compile.ts";
import { CelError } from "../value.ts";
import type { CelValue } from "../value.ts";
import { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from "./authorization.ts";
import type { AuthorizationAnswer, AuthorizationQuestion } from "./authorization.ts";

const variables = new Map([
  ["authorizer", authorizerType],
  ["authorizer.requestResource", resourceCheckType],
]);
const request = {
  group: "apps",
  resource: "deployments",
  subresource: "",
  namespace: "ns",
  name: "web",
  fieldSelector: "",
  labelSelector: "",
};

function ask(
  expression: string,
  answer: AuthorizationAnswer = { allowed: true, reason: "because" },
): { value: CelValue; asked: AuthorizationQuestion[]; cost: number } {
  const asked: AuthorizationQuestion[] = [];
  const authorizer = (question: AuthorizationQuestion): AuthorizationAnswer => {
    asked.push(question);
    return answer;
  };
  const values = new Map([
    ["authorizer", authorizerValue(authorizer)],
    ["authorizer.requestResource", resourceCheckValue(authorizer, request)],
  ]);
  const result = compile(expression, { variables });
  if (!result.ok) throw new Error(result.message);
  const budget = new CostBudget(2_500_000);
  return { value: result.program.evaluate((name) => values.get(name), budget), asked, cost: budget.spent };
}

test("a path is asked about", () => {
  const { value, asked, cost } = ask("authorizer.path('/healthz').check('get').allowed()");
  assert.equal(value, true);
  assert.deepEqual(asked, [{ verb: "get", serviceAccount: undefined, about: { path: "/healthz" } }]);
  assert.equal(cost, 350_003);
});

test("a resource is asked about in as much detail as the expression gives", () => {
  const { value, asked } = ask(
    "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').subresource('scale').namespace('n').name('x').labelSelector('a=b').fieldSelector('c=d').check('update').reason()",
  );
  assert.equal(value, "because");
  assert.deepEqual(asked, [
    {
      verb: "update",
      serviceAccount: { namespace: "ns", name: "sa" },
      about: {
        group: "apps",
        resource: "deployments",
        subresource: "scale",
        namespace: "n",
        name: "x",
        labelSelector: "a=b",
        fieldSelector: "c=d",
      },
    },
  ]);
});

test("the resource of the request is a check of its own", () => {
  const { asked } = ask("authorizer.requestResource.check('delete').allowed()");
  assert.deepEqual(asked, [{ verb: "delete", serviceAccount: undefined, about: request }]);
});

test("a question that could not be answered is told from a refusal", () => {
  const answer = { allowed: false, reason: "", error: "no idea" };
  assert.equal(ask("authorizer.path('/x').check('get').errored()", answer).value, true);
  assert.equal(ask("authorizer.path('/x').check('get').error()", answer).value, "no idea");
  assert.equal(ask("authorizer.path('/x').check('get').errored()").value, false);
});

test("names that cannot exist are errors", () => {
  for (const expression of [
    "authorizer.path(' ')",
    "authorizer.group('').resource('')",
    "authorizer.serviceAccount('A', 'b')",
    "authorizer.serviceAccount('a', 'B_')",
  ]) {
    assert.throws(() => ask(`${expression} == null`), CelError);
  }
});
