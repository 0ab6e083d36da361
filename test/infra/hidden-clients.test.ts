import assert from "node:assert/strict";
import { test } from "node:test";
import { calledOperations } from "../../scripts/iam/called-operations.ts";
import { hiddenClients } from "../../scripts/iam/hidden-clients.ts";

const hidden = (source: string) => hiddenClients(source, ["ec2", "s3"]).length > 0;

test("operations that are taken out of a client, and clients under other names, are found, since their rights would be missing", () => {
  for (const source of [
    "const { runInstances } = aws.ec2;",
    "const { getObject } = s3;",
    "const client = aws.ec2;",
    "call({ client: aws.ec2 })",
    "call(ground.aws.ec2, input)",
    "aws[service]",
    "aws.ec2[name]",
    "const { ec2: client } = ground.aws;",
  ]) {
    assert.ok(hidden(source), source);
  }
});

test("plain calls, whole names, and clients that are handed on under the name of their service, are none", () => {
  for (const source of [
    "await aws.ec2.runInstances({ MinCount: 1 }, { signal });",
    "const { Instances: made = [] } = await aws.ec2.runInstances(input);",
    "everyPage(aws.ec2.describeInstances, input)",
    "const { s3 } = aws;",
    "return { s3: aws.s3, target };",
  ]) {
    assert.ok(!hidden(source), source);
  }
});

test("an instance's monitoring is among the rights of its kind", () => {
  const operations = calledOperations()
    .get("ec2-instance")
    ?.map(({ operation }) => operation);
  assert.ok(operations?.includes("MonitorInstances"));
  assert.ok(operations?.includes("UnmonitorInstances"));
});
