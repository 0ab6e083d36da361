import assert from "node:assert/strict";
import { test } from "node:test";
import { AwsCallError } from "@gatewright/aws";
import type { AwsErrorKind, ServiceName } from "@gatewright/aws";
import { REASONS } from "../reasons.ts";
import { atWork } from "./at-work.ts";
import { classOf } from "./error-class.ts";

type Told = readonly [service: ServiceName, operation: string, code: string, message?: string, kind?: AwsErrorKind];

function classified([service, operation, code, message = "no", kind = "terminal"]: Told) {
  return classOf(new AwsCallError({ service, operation, code, message, kind, requestId: "r-1" }));
}

const TABLE: Readonly<Record<string, readonly Told[]>> = {
  Throttled: [
    ["ec2", "RunInstances", "RequestLimitExceeded", "slow", "throttled"],
    ["dynamodb", "CreateTable", "LimitExceededException", "too many tables at once"],
  ],
  Transient: [
    ["s3", "PutBucketPolicy", "InternalError", "sorry", "retry"],
    ["s3", "CreateBucket", "OperationAborted", "in progress", "retry"],
    ["sqs", "CreateQueue", "AWS.SimpleQueueService.QueueDeletedRecently", "wait 60 seconds"],
    ["rds", "ModifyDBInstance", "InvalidDBInstanceState"],
    ["ec2", "ModifyInstanceAttribute", "IncorrectInstanceState"],
    ["dynamodb", "UpdateTable", "ResourceInUseException"],
    ["iam", "DeleteRole", "DeleteConflict"],
    ["sqs", "CreateQueue", "502", "an answer that is not AWS's", "retry"],
  ],
  Denied: [
    ["sqs", "CreateQueue", "AccessDenied"],
    ["dynamodb", "CreateTable", "AccessDeniedException"],
    ["ec2", "RunInstances", "UnauthorizedOperation"],
    ["s3", "HeadBucket", "Forbidden"],
    ["sns", "CreateTopic", "AuthorizationError"],
    ["rds", "DescribeDBInstances", "InvalidClientTokenId"],
    ["sqs", "CreateQueue", "ExpiredToken", "expired", "retry"],
  ],
  DependencyMissing: [
    ["ec2", "RunInstances", "InvalidSubnetID.NotFound", "no", "absent"],
    ["rds", "CreateDBInstance", "DBSubnetGroupNotFoundFault", "no", "absent"],
    ["rds", "CreateDBInstance", "KMSKeyNotAccessibleFault"],
    ["iam", "AttachRolePolicy", "NoSuchEntity", "no", "absent"],
    [
      "ec2",
      "RunInstances",
      "InvalidParameterValue",
      "Value (x) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name",
    ],
    ["sqs", "SetQueueAttributes", "InvalidParameterValue", "Reason: Dead letter target does not exist."],
    ["s3", "PutBucketPolicy", "MalformedPolicy", "Invalid principal in policy"],
    ["s3", "PutBucketReplication", "InvalidRequest", "Destination bucket must have versioning enabled."],
    [
      "s3",
      "PutBucketReplication",
      "InvalidRequest",
      "Versioning must be 'Enabled' on the bucket to apply a replication configuration",
    ],
    ["s3", "PutBucketLogging", "InvalidTargetBucketForLogging", "The target bucket for logging does not exist"],
    [
      "s3",
      "PutBucketNotificationConfiguration",
      "InvalidArgument",
      "Unable to validate the following destination configurations",
    ],
    [
      "secretsmanager",
      "PutResourcePolicy",
      "MalformedPolicyDocumentException",
      "This resource policy contains an unsupported principal.",
    ],
  ],
  QuotaExceeded: [
    ["rds", "CreateDBInstance", "InstanceQuotaExceeded"],
    ["rds", "CreateDBInstance", "InsufficientDBInstanceCapacity"],
    ["ec2", "RunInstances", "VcpuLimitExceeded"],
    ["ec2", "RunInstances", "InsufficientInstanceCapacity"],
    ["s3", "CreateBucket", "TooManyBuckets"],
    ["iam", "CreateRole", "LimitExceeded"],
    ["ecr", "CreateRepository", "LimitExceededException"],
  ],
  Invalid: [
    ["s3", "PutBucketLifecycleConfiguration", "MalformedXML"],
    ["sqs", "SetQueueAttributes", "InvalidAttributeValue"],
    ["rds", "CreateDBInstance", "InvalidParameterCombination"],
    ["iam", "CreateRole", "MalformedPolicyDocument", "bad json"],
    ["s3", "PutBucketTagging", "TooManyTags"],
    ["s3", "PutBucketReplication", "InvalidRequest", "Priority must be unique"],
    ["sns", "CreateTopic", "SomethingNew"],
  ],
  NameConflict: [
    ["s3", "CreateBucket", "BucketAlreadyExists"],
    ["sqs", "CreateQueue", "QueueAlreadyExists"],
    ["rds", "CreateDBInstance", "DBInstanceAlreadyExists"],
    ["iam", "CreateRole", "EntityAlreadyExists"],
    ["ecr", "CreateRepository", "RepositoryAlreadyExistsException"],
    ["dynamodb", "CreateTable", "ResourceInUseException"],
    ["secretsmanager", "CreateSecret", "ResourceExistsException"],
    [
      "secretsmanager",
      "CreateSecret",
      "InvalidRequestException",
      "a secret with this name is already scheduled for deletion",
    ],
    ["sns", "CreateTopic", "InvalidParameter", "Topic already exists with different attributes"],
  ],
  Unknown: [["rds", "CreateDBInstance", "NoAnswer", "cut", "unknown"]],
};

for (const [reason, errors] of Object.entries(TABLE)) {
  test(`errors that mean ${reason} are known, and all are tried again`, () => {
    for (const told of errors) {
      const { reason: found, afterMs } = classified(told);
      assert.equal(found.reason, reason, told.join(" "));
      assert.ok(afterMs >= 15_000 && afterMs <= 3_600_000);
    }
  });
}

test("a resource that AWS works on is told as any that is busy, and asked for again soon", () => {
  assert.deepEqual(classOf(atWork("dynamodb", "DescribeTable", "orders is being created")), {
    reason: REASONS.Busy,
    ready: "False",
    message: "orders is being created",
    afterMs: 5_000,
  });
});

test("a message has AWS's code and the request id", () => {
  const { message } = classified(["s3", "CreateBucket", "TooManyBuckets", "You have too many buckets"]);
  assert.equal(message, "s3 CreateBucket: TooManyBuckets: You have too many buckets. Request id r-1.");
});

test("a denied call names the action that is missing, by AWS's own words where it says so", () => {
  assert.match(classified(["sqs", "CreateQueue", "AccessDenied"]).message, /needs sqs:CreateQueue and sqs:TagQueue\.$/);
  assert.match(classified(["s3", "HeadBucket", "Forbidden"]).message, /needs s3:ListBucket\.$/);
  assert.match(classified(["s3", "PutBucketEncryption", "AccessDenied"]).message, /s3:PutEncryptionConfiguration\.$/);
  assert.match(classified(["tagging", "GetResources", "AccessDenied"]).message, /tag:GetResources\.$/);
  const words = "User: arn:aws:iam::1:user/a is not authorized to perform: iam:PassRole on resource: r";
  assert.match(classified(["rds", "CreateDBInstance", "AccessDenied", words]).message, /needs iam:PassRole\.$/);
  assert.match(classified(["sqs", "ListQueues", "InvalidClientTokenId"]).message, /does not take the credentials/);
});

test("a wait that AWS names is kept", () => {
  assert.equal(classified(["sqs", "CreateQueue", "QueueDeletedRecently"]).afterMs, 61_000);
});

test("what is no error of AWS is thrown on", () => {
  const mistake = new TypeError("ours");
  assert.throws(() => classOf(mistake), mistake);
});

test("a name that is held by what is going is asked for again soon", () => {
  const told = [
    "secretsmanager",
    "CreateSecret",
    "InvalidRequestException",
    "it is already scheduled for deletion",
  ] as const;
  assert.equal(classified(told).afterMs, 60_000);
});
