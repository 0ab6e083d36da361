import assert from "node:assert/strict";
import { test } from "node:test";
import { ECRRepository } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(ECRRepository);
const object = (spec: object) => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "ECRRepository",
  metadata: { name: "web", namespace: "shop" },
  spec: { providerRef: { name: "aws" }, repositoryName: "shop/web", ...spec },
});

test("what AWS would refuse of a repository is refused before", () => {
  const excepting = { imageTagMutability: "IMMUTABLE_WITH_EXCLUSION", imageTagMutabilityExclusionFilters: ["dev-*"] };
  for (const spec of [
    {},
    excepting,
    { imageTagMutability: "IMMUTABLE" },
    { encryptionConfiguration: { encryptionType: "KMS", kmsKey: "alias/x" } },
  ]) {
    assert.ok("admitted" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  for (const spec of [
    { repositoryName: "Shop" },
    { repositoryName: "a" },
    { repositoryName: "a//b" },
    { imageTagMutability: "IMMUTABLE_WITH_EXCLUSION" },
    { ...excepting, imageTagMutability: "IMMUTABLE" },
    { imageTagMutabilityExclusionFilters: ["dev-*"] },
    { encryptionConfiguration: { encryptionType: "AES256", kmsKey: "alias/x" } },
    { lifecyclePolicy: { policyText: "{}" } },
    { deletionPolicy: "Snapshot" },
  ]) {
    assert.ok("refused" in admission.judge(object(spec)), JSON.stringify(spec));
  }
  assert.ok("refused" in admission.judge(object({ repositoryName: "shop/other" }), object({})));
});
