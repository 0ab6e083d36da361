import { anyKind } from "../engine/aws-kind.ts";
import type { AnyKind } from "../engine/aws-kind.ts";
import { dynamodbTable } from "./dynamodb-table/index.ts";
import { ec2Instance } from "./ec2-instance/index.ts";
import { ecrRepository } from "./ecr-repository/index.ts";
import { iamRole } from "./iam-role/index.ts";
import { rdsInstance } from "./rds-instance/index.ts";
import { s3Bucket } from "./s3-bucket/index.ts";
import { secretsManagerSecret } from "./secrets-manager-secret/index.ts";
import { snsTopic } from "./sns-topic/index.ts";
import { sqsQueue } from "./sqs-queue/index.ts";

/** Every kind of AWS resource. */
export const ALL_KINDS: readonly AnyKind[] = [
  anyKind(dynamodbTable),
  anyKind(ec2Instance),
  anyKind(ecrRepository),
  anyKind(iamRole),
  anyKind(rdsInstance),
  anyKind(s3Bucket),
  anyKind(secretsManagerSecret),
  anyKind(snsTopic),
  anyKind(sqsQueue),
];
