import assert from "node:assert/strict";
import { test } from "node:test";
import { kindPolicy } from "./kind-policy.ts";

test("a policy allows the calls of a kind under IAM's own names, and what they need besides", () => {
  const { Statement } = kindPolicy(
    [
      { service: "s3", operation: "HeadBucket" },
      { service: "s3", operation: "CreateBucket" },
      { service: "s3", operation: "DeleteBucket" },
    ],
    "prod",
  );
  assert.deepEqual(
    Statement.map(({ Sid, Action }) => [Sid, Action]),
    [["Use", ["s3:CreateBucket", "s3:DeleteBucket", "s3:ListBucket", "s3:PutBucketTagging", "s3:TagResource"]]],
  );
});

test("what destroys is allowed on this cluster's own resources alone", () => {
  const { Statement } = kindPolicy([{ service: "sqs", operation: "DeleteQueue" }], "prod");
  assert.deepEqual(Statement.at(-1), {
    Sid: "DeleteOwn",
    Effect: "Allow",
    Action: ["sqs:DeleteQueue"],
    Resource: "*",
    Condition: { StringEquals: { "aws:ResourceTag/gatewright.dev/cluster": "prod" } },
  });
});

test("roles are handed to the service that uses them alone", () => {
  const { Statement } = kindPolicy([{ service: "ec2", operation: "RunInstances" }], "prod");
  assert.deepEqual(
    Statement.filter(({ Action }) => Action.includes("iam:PassRole")).map(({ Condition }) => Condition),
    [{ StringEquals: { "iam:PassedToService": "ec2.amazonaws.com" } }],
  );
});

test("a role goes into an instance profile, which has tags, for EC2 alone", () => {
  const { Statement } = kindPolicy(
    [
      { service: "iam", operation: "CreateInstanceProfile" },
      { service: "iam", operation: "AddRoleToInstanceProfile" },
    ],
    "prod",
  );
  assert.deepEqual(
    Statement.map(({ Action, Condition }) => [Action, Condition]),
    [
      [["iam:AddRoleToInstanceProfile", "iam:CreateInstanceProfile", "iam:TagInstanceProfile"], undefined],
      [["iam:PassRole"], { StringEquals: { "iam:PassedToService": "ec2.amazonaws.com" } }],
    ],
  );
});

test("databases may have the secrets that RDS names, and RDS its role in an account that has none", () => {
  const operations = ["CreateDBInstance", "ModifyDBInstance"].map(
    (operation) => ({ service: "rds", operation }) as const,
  );
  const { Statement } = kindPolicy(operations, "prod");
  const of = (action: string) => Statement.filter(({ Action }) => Action.includes(action));
  for (const action of ["secretsmanager:CreateSecret", "secretsmanager:TagResource"]) {
    assert.deepEqual(
      of(action).map(({ Resource }) => Resource),
      ["arn:*:secretsmanager:*:*:secret:rds!*"],
    );
  }
  assert.deepEqual(
    of("iam:CreateServiceLinkedRole").map(({ Condition }) => Condition),
    [{ StringEquals: { "iam:AWSServiceName": "rds.amazonaws.com" } }],
  );
  assert.equal(of("kms:DescribeKey").length, 1);
});

test("a kind that calls Secrets Manager itself may make secrets of any name", () => {
  const { Statement } = kindPolicy([{ service: "secretsmanager", operation: "CreateSecret" }], "prod");
  assert.deepEqual(
    Statement.map(({ Resource }) => Resource),
    ["*"],
  );
});
