import { createCaller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { acmCalls } from "./services/acm.ts";
import type { AcmCalls } from "./services/acm.ts";
import { ec2Calls } from "./services/ec2.ts";
import type { Ec2Calls } from "./services/ec2.ts";
import { elbv2Calls } from "./services/elbv2.ts";
import type { Elbv2Calls } from "./services/elbv2.ts";
import { route53Calls } from "./services/route53.ts";
import type { Route53Calls } from "./services/route53.ts";
import { stsCalls } from "./services/sts.ts";
import type { StsCalls } from "./services/sts.ts";
import { taggingCalls } from "./services/tagging.ts";
import type { TaggingCalls } from "./services/tagging.ts";
import { dynamodbCalls } from "./services/dynamodb.ts";
import type { DynamodbCalls } from "./services/dynamodb.ts";
import { ecrCalls } from "./services/ecr.ts";
import type { EcrCalls } from "./services/ecr.ts";
import { iamCalls } from "./services/iam.ts";
import type { IamCalls } from "./services/iam.ts";
import { rdsCalls } from "./services/rds.ts";
import type { RdsCalls } from "./services/rds.ts";
import { s3Calls } from "./services/s3.ts";
import type { S3Calls } from "./services/s3.ts";
import { secretsmanagerCalls } from "./services/secretsmanager.ts";
import type { SecretsmanagerCalls } from "./services/secretsmanager.ts";
import { snsCalls } from "./services/sns.ts";
import type { SnsCalls } from "./services/sns.ts";
import { sqsCalls } from "./services/sqs.ts";
import type { SqsCalls } from "./services/sqs.ts";

/** AWS as one account in one region sees it. Every call rejects with `AwsCallError`, or with the reason of its signal. */
export interface Aws {
  readonly region: string;
  readonly acm: AcmCalls;
  readonly dynamodb: DynamodbCalls;
  readonly ecr: EcrCalls;
  readonly iam: IamCalls;
  readonly rds: RdsCalls;
  readonly s3: S3Calls;
  readonly secretsmanager: SecretsmanagerCalls;
  readonly sns: SnsCalls;
  readonly sqs: SqsCalls;
  readonly ec2: Ec2Calls;
  readonly elbv2: Elbv2Calls;
  readonly route53: Route53Calls;
  readonly sts: StsCalls;
  readonly tagging: TaggingCalls;
}

/** The services that are used. Opens nothing by itself: what carries the calls is `send`. */
export function createAws(options: CallerOptions): Aws {
  const call = createCaller(options);
  return {
    region: options.region,
    acm: acmCalls(call),
    dynamodb: dynamodbCalls(call),
    ecr: ecrCalls(call),
    iam: iamCalls(call),
    rds: rdsCalls(call),
    s3: s3Calls(call),
    secretsmanager: secretsmanagerCalls(call),
    sns: snsCalls(call),
    sqs: sqsCalls(call),
    ec2: ec2Calls(call),
    elbv2: elbv2Calls(call),
    route53: route53Calls(call),
    sts: stsCalls(call),
    tagging: taggingCalls(call),
  };
}
