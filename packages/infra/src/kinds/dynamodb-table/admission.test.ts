import assert from "node:assert/strict";
import { test } from "node:test";
import { DynamoDBTable } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(DynamoDBTable);
const kmsMasterKeyId = "aaaaaaaa-1111-2222-3333-444444444444";
const encrypted = (serverSideEncryption: object) => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "DynamoDBTable",
  metadata: { name: "carts", namespace: "shop" },
  spec: { providerRef: { name: "aws" }, tableName: "carts", hashKey: { name: "id", type: "S" }, serverSideEncryption },
});

test("a key goes with the encryption that it is for, and not without", () => {
  const old = encrypted({ enabled: true, kmsMasterKeyId });
  assert.ok("admitted" in admission.judge(encrypted({ enabled: false }), old));
  assert.ok("admitted" in admission.judge(encrypted({ enabled: true }), encrypted({ enabled: false })));
  const bare = admission.judge(encrypted({ enabled: true }), old);
  assert.match("refused" in bare ? bare.refused : "", /kmsMasterKeyId may not be removed once set/);
  const idle = admission.judge(encrypted({ enabled: false, kmsMasterKeyId }), old);
  assert.match("refused" in idle ? idle.refused : "", /kmsMasterKeyId needs enabled: true/);
});
