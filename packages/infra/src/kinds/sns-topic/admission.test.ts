import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { SNSTopic } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(SNSTopic);

function refusal(subscriptions: JsonObject[]): string {
  const judged = admission.judge({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SNSTopic",
    metadata: { name: "news", namespace: "shop" },
    spec: { providerRef: { name: "aws" }, topicName: "news", subscriptions },
  });
  return "refused" in judged ? judged.refused : "";
}

test("two subscriptions with the same protocol and receiver are refused", () => {
  const [endpoint, queueRef] = ["arn:aws:sqs:eu-west-1:000000000000:a", { name: "a" }];
  for (const same of [{ endpoint }, { queueRef }]) {
    const told = refusal([
      { protocol: "sqs", ...same },
      { protocol: "sqs", ...same, rawMessageDelivery: true },
    ]);
    assert.match(told, /two subscriptions have the same protocol and receiver: make one of them/);
  }
  const mail = { endpoint: "a@b.example" };
  const others = [
    { protocol: "sqs", endpoint },
    { protocol: "sqs", queueRef },
    { protocol: "sqs", queueRef: { name: "b" } },
    { protocol: "email", ...mail },
    { protocol: "email-json", ...mail },
  ];
  assert.equal(refusal(others), "");
});

test("as many subscriptions as there may be, with endpoints of any length, are not too much for a server", () => {
  for (const length of [60, 580, 600, 2000]) {
    const endpoints = Array.from({ length: 100 }, (_, i) => `https://a.example/${"x".repeat(length)}${i + 100}`);
    assert.equal(refusal(endpoints.map((endpoint) => ({ protocol: "https", endpoint }))), "");
  }
});
