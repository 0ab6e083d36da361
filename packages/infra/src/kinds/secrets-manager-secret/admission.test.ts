import assert from "node:assert/strict";
import { test } from "node:test";
import { SecretsManagerSecret } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(SecretsManagerSecret);
const object = (spec: object) => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "SecretsManagerSecret",
  metadata: { name: "key", namespace: "shop" },
  spec: { providerRef: { name: "aws" }, secretName: "shop/key", ...spec },
});
const REF = { name: "key", key: "value" };
const LAMBDA = { rotationEnabled: true, rotationLambdaARN: "arn:aws:lambda:eu-west-1:000000000000:function:rotate" };

test("what AWS would refuse of a secret is refused before", () => {
  const plain = admission.judge(object({}));
  assert.ok("admitted" in plain);
  assert.deepEqual(
    { ...plain.admitted.spec },
    { ...object({}).spec, recoveryWindowInDays: 30, deletionPolicy: "Delete" },
  );
  for (const spec of [
    { secretStringRef: REF, recoveryWindowInDays: 0 },
    { secretBinaryRef: REF, recoveryWindowInDays: 7 },
    { ...LAMBDA, automaticallyAfterDays: 30 },
    { ...LAMBDA, rotationScheduleExpression: "rate(10 days)", rotationDuration: "3h" },
    { rotationEnabled: false },
  ]) {
    assert.ok("admitted" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  for (const spec of [
    { secretName: "a b" },
    { secretName: "" },
    { secretStringRef: REF, secretBinaryRef: REF },
    { recoveryWindowInDays: 6 },
    { recoveryWindowInDays: 31 },
    { rotationEnabled: true },
    LAMBDA,
    { ...LAMBDA, automaticallyAfterDays: 30, rotationScheduleExpression: "rate(10 days)" },
    { ...LAMBDA, automaticallyAfterDays: 0 },
    { ...LAMBDA, rotationScheduleExpression: "daily" },
  ]) {
    assert.ok("refused" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  assert.ok("refused" in admission.judge(object({ secretName: "other" }), object({})));
});
