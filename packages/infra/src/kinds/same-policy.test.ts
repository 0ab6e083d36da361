import assert from "node:assert/strict";
import { test } from "node:test";
import { samePolicy } from "./same-policy.ts";

const statement = {
  Sid: "a",
  Effect: "Allow",
  Principal: { AWS: "arn:aws:iam::123456789012:root" },
  Action: "s3:GetObject",
  Resource: ["arn:aws:s3:::b/*", "arn:aws:s3:::b"],
  Condition: { Bool: { "aws:SecureTransport": "true" } },
};
const policy = (changes: object = {}): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ ...statement, ...changes }] });

test("spelling, order and lists of one make no other policy", () => {
  for (const same of [
    JSON.stringify(JSON.parse(policy()), undefined, 2),
    JSON.stringify({ Statement: statement, Version: "2012-10-17" }),
    policy({ Principal: { AWS: "123456789012" } }),
    policy({ Principal: { AWS: ["123456789012"] } }),
    policy({ Action: ["s3:GetObject"] }),
    policy({ Resource: ["arn:aws:s3:::b", "arn:aws:s3:::b/*"] }),
    policy({ Condition: { Bool: { "aws:SecureTransport": [true] } } }),
  ]) {
    assert.ok(samePolicy(policy(), same), same);
  }
  const everybody = (Principal: unknown): string => policy({ Principal });
  assert.ok(samePolicy(everybody("*"), everybody({ AWS: ["*"] })));
});

test("a policy that names no version is one of the first, and an empty name of a statement is none", () => {
  const { Sid: _, ...nameless } = statement;
  const plain = JSON.stringify({ Statement: [nameless] });
  assert.ok(samePolicy(plain, JSON.stringify({ Version: "2008-10-17", Statement: [{ Sid: "", ...nameless }] })));
  assert.ok(samePolicy(plain, JSON.stringify({ Statement: nameless })));
  assert.equal(samePolicy(plain, JSON.stringify({ Version: "2012-10-17", Statement: [nameless] })), false);
});

test("what means something else is another policy", () => {
  for (const other of [
    policy({ Effect: "Deny" }),
    policy({ Sid: "b" }),
    policy({ Principal: { AWS: "123456789013" } }),
    policy({ Principal: { Service: "123456789012" } }),
    policy({ Action: "s3:PutObject" }),
    policy({ Resource: "arn:aws:s3:::b" }),
    policy({ Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    policy({ Condition: { BoolIfExists: { "aws:SecureTransport": "true" } } }),
    JSON.stringify({ Version: "2008-10-17", Statement: [statement] }),
    JSON.stringify({ Version: "2012-10-17", Statement: [statement, { ...statement, Sid: "c" }] }),
    "no json",
    "[]",
  ]) {
    assert.equal(samePolicy(policy(), other), false, other);
  }
  assert.ok(samePolicy("no json", "no json"));
});
