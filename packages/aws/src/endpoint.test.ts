import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointOf } from "./endpoint.ts";

test("services are where AWS has them, and global ones are signed for their partition's region", () => {
  for (const [service, region, host, signedFor] of [
    ["sqs", "eu-west-1", "sqs.eu-west-1.amazonaws.com", "eu-west-1"],
    ["ecr", "eu-west-1", "api.ecr.eu-west-1.amazonaws.com", "eu-west-1"],
    ["elbv2", "cn-north-1", "elasticloadbalancing.cn-north-1.amazonaws.com.cn", "cn-north-1"],
    ["iam", "eu-west-1", "iam.amazonaws.com", "us-east-1"],
    ["iam", "cn-northwest-1", "iam.cn-north-1.amazonaws.com.cn", "cn-north-1"],
    ["route53", "us-gov-east-1", "route53.us-gov.amazonaws.com", "us-gov-west-1"],
  ] as const) {
    assert.deepEqual(endpointOf(service, region, undefined), { url: new URL(`https://${host}`), region: signedFor });
  }
  const local = endpointOf("iam", "eu-west-1", "http://127.0.0.1:4566");
  assert.deepEqual([local.url.host, local.region], ["127.0.0.1:4566", "us-east-1"]);
});
