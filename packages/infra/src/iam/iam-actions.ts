import type { ServiceName } from "@gatewright/aws";
import { iamActionOf } from "../engine/iam-action.ts";

/** RDS makes the secret that it keeps a password in with the rights of who asks for it. */
const RDS_SECRET: readonly string[] = ["secretsmanager:CreateSecret", "secretsmanager:TagResource", "kms:DescribeKey"];

/** What calls need besides the right to make them: tags that are set with a creation, roles that are handed over, a function that is called and secrets that are made in our name. */
const BESIDES: ReadonlyMap<string, readonly string[]> = new Map([
  ["s3 CreateBucket", ["s3:TagResource", "s3:PutBucketTagging"]],
  ["s3 DeleteObjects", ["s3:DeleteObjectVersion"]],
  ["s3 PutBucketReplication", ["iam:PassRole"]],
  ["ec2 RunInstances", ["ec2:CreateTags", "iam:PassRole"]],
  ["ec2 AssociateIamInstanceProfile", ["iam:PassRole"]],
  ["ec2 ReplaceIamInstanceProfileAssociation", ["iam:PassRole"]],
  ["rds CreateDBInstance", ["rds:AddTagsToResource", "iam:PassRole", "iam:CreateServiceLinkedRole", ...RDS_SECRET]],
  ["rds RestoreDBInstanceFromDBSnapshot", ["rds:AddTagsToResource", "iam:PassRole", ...RDS_SECRET]],
  ["rds ModifyDBInstance", ["iam:PassRole", ...RDS_SECRET]],
  ["rds DeleteDBInstance", ["rds:CreateDBSnapshot"]],
  ["dynamodb CreateTable", ["dynamodb:TagResource"]],
  ["sqs CreateQueue", ["sqs:TagQueue"]],
  ["sns CreateTopic", ["sns:TagResource"]],
  ["sns Subscribe", ["iam:PassRole"]],
  ["sns SetSubscriptionAttributes", ["iam:PassRole"]],
  ["secretsmanager CreateSecret", ["secretsmanager:TagResource"]],
  ["secretsmanager RotateSecret", ["lambda:InvokeFunction"]],
  ["iam CreateRole", ["iam:TagRole"]],
  ["iam CreateInstanceProfile", ["iam:TagInstanceProfile"]],
  ["iam AddRoleToInstanceProfile", ["iam:PassRole"]],
  ["ecr CreateRepository", ["ecr:TagResource"]],
]);

/** The rights that it takes to call an operation. */
export function iamActions(service: ServiceName, operation: string): readonly string[] {
  return [iamActionOf(service, operation), ...(BESIDES.get(`${service} ${operation}`) ?? [])];
}
