import type { ServiceName } from "@gatewright/aws-wire";
import type { Dialect } from "./dialect.ts";
import { dynamodbDialect } from "./dynamodb-dialect.ts";
import { ec2Dialect } from "./ec2-dialect.ts";
import { ecrDialect } from "./ecr-dialect.ts";
import { jsonDialect } from "./json-dialect.ts";
import { iamDialect, queryDialect, rdsDialect, route53Dialect } from "./query-dialect.ts";
import { s3Dialect } from "./s3-dialect.ts";
import { snsDialect } from "./sns-dialect.ts";
import { sqsDialect } from "./sqs-dialect.ts";

const DIALECTS: Readonly<Record<ServiceName, Dialect>> = {
  acm: jsonDialect({ invalid: "ValidationException", throttled: "ThrottlingException" }),
  dynamodb: dynamodbDialect,
  ecr: ecrDialect,
  iam: iamDialect,
  secretsmanager: jsonDialect({ invalid: "ValidationException", throttled: "ThrottlingException" }),
  sns: snsDialect,
  tagging: jsonDialect({ invalid: "InvalidParameterException", throttled: "ThrottledException" }),
  sqs: sqsDialect,
  sts: queryDialect,
  elbv2: queryDialect,
  rds: rdsDialect,
  ec2: ec2Dialect,
  route53: route53Dialect,
  s3: s3Dialect,
};

/** How a service words its refusals. */
export function dialectOf(name: ServiceName): Dialect {
  return DIALECTS[name];
}
