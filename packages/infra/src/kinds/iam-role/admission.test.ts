import assert from "node:assert/strict";
import { test } from "node:test";
import { IAMRole } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(IAMRole);
const object = (spec: object) => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "IAMRole",
  metadata: { name: "web", namespace: "shop" },
  spec: { providerRef: { name: "aws" }, roleName: "web", assumeRolePolicyDocument: "{}", ...spec },
});
const inline = (policyName: string) => ({ policyName, policyDocument: "{}" });

test("what AWS would refuse of a role is refused before", () => {
  for (const spec of [
    { path: "/apps/web/", maxSessionDuration: 3600 },
    { description: "größer\n" },
    { inlinePolicy: inline("a"), inlinePolicies: [inline("b"), inline("c")] },
    { permissionsBoundary: "arn:aws-cn:iam::000000000000:policy/apps/x" },
    { management: { adopt: { byName: true } } },
  ]) {
    assert.ok("admitted" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  for (const spec of [
    { roleName: "a b" },
    { roleName: "x".repeat(65) },
    { path: "apps" },
    { path: "/a b/" },
    { description: "\u20ac" },
    { assumeRolePolicyDocument: "none" },
    { maxSessionDuration: 3599 },
    { maxSessionDuration: 43_201 },
    { managedPolicyArns: ["ReadOnlyAccess"] },
    { managedPolicyArns: ["arn:aws:iam::aws:policy/A", "arn:aws:iam::aws:policy/A"] },
    { permissionsBoundary: "arn:aws:iam::000000000000:role/x" },
    { inlinePolicy: inline("a"), inlinePolicies: [inline("a")] },
    { inlinePolicies: [inline("a"), inline("a")] },
    { management: { adopt: { byTags: { team: "web" } } } },
  ]) {
    assert.ok("refused" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  assert.ok("refused" in admission.judge(object({ roleName: "other" }), object({})));
});
