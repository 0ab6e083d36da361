import assert from "node:assert/strict";
import { test } from "node:test";
import type { AWSProvider } from "@gatewright/resources";
import { wayKey, wayOf } from "./way.ts";

const provider = (spec: Partial<AWSProvider["spec"]>): AWSProvider => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "AWSProvider",
  metadata: { namespace: "shop", name: "aws" },
  spec: { region: "eu-west-1", ...spec },
});
const keyed = (spec: Partial<AWSProvider["spec"]>): string => wayKey(wayOf(provider(spec)));

test("Secrets are of the provider's namespace unless the spec says otherwise, and a session token may be missing", () => {
  const { identity } = wayOf(provider({ credentialsSecret: { name: "keys" } }));
  assert.deepEqual(identity, {
    from: "secret",
    id: { namespace: "shop", name: "keys", key: "AWS_ACCESS_KEY_ID" },
    secret: { namespace: "shop", name: "keys", key: "AWS_SECRET_ACCESS_KEY" },
    token: { namespace: "shop", name: "keys", key: "AWS_SESSION_TOKEN", optional: true },
  });
  const other = wayOf(provider({ credentialsSecret: { name: "keys", namespace: "platform" } })).identity;
  assert.equal(other.from === "secret" && other.id.namespace, "platform");
});

test("everything that leads elsewhere or as somebody else changes the key, and nothing else does", () => {
  const ref = { name: "keys", key: "id" };
  const ways = [
    {},
    { region: "us-east-1" },
    { endpoint: "https://x.example" },
    { accountID: "123456789012" },
    { roleARN: "arn:aws:iam::123456789012:role/a" },
    { assumeRoleARN: "arn:aws:iam::123456789012:role/a" },
    { assumeRoleARN: "arn:aws:iam::123456789012:role/a", externalID: "x1" },
    { credentialsSecret: { name: "keys" } },
    { credentialsSecret: { name: "keys", namespace: "platform" } },
    { accessKeyIDRef: ref, secretAccessKeyRef: { ...ref, key: "secret" } },
    { accessKeyIDRef: ref, secretAccessKeyRef: { ...ref, key: "secret" }, sessionTokenRef: { ...ref, key: "token" } },
  ];
  assert.equal(new Set(ways.map(keyed)).size, ways.length);
  assert.equal(keyed({ defaultTags: { a: "b" }, allowedNamespaces: ["x"] }), keyed({}));
});
