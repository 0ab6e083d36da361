import type { Json, JsonObject } from "@gatewright/kube";
import { sortedPairs } from "./infra-subjects.ts";
import type { Found, InfraSubject, Pairs, State } from "./infra-subjects.ts";

type Records = Readonly<Record<string, unknown>> & { readonly name: string; readonly tags?: Pairs };

/** The records of a table that are not on their way out, with some of what each has. */
function* listed<T extends Records>(
  state: State,
  table: string,
  keys: readonly (keyof T & string)[],
  isGone: (record: T) => boolean = () => false,
): Iterable<Found> {
  for (const [id, record] of state.records<T>(table).list()) {
    if (isGone(record)) continue;
    const content: JsonObject = Object.fromEntries(keys.map((key) => [key, (record[key] ?? null) as Json]));
    yield { id, name: record.name, content, tags: record.tags ?? [] };
  }
}

const sqsQueue: InfraSubject = {
  kind: "SQSQueue",
  base: (queueName) => ({ queueName }),
  changes: [
    { visibilityTimeout: 60, delaySeconds: 3 },
    { visibilityTimeout: 45, redriveAllowPolicy: { redrivePermission: "allowAll" } },
    { delaySeconds: null, messageRetentionPeriod: 3600 },
  ],
  refers: { deadLetterQueue: { queueRef: { name: "web" }, maxReceiveCount: 3 } },
  make: (aws, QueueName, signal) => aws.sqs.createQueue({ QueueName }, { signal }),
  makeTagged: (aws, QueueName, tags, signal) => aws.sqs.createQueue({ QueueName, tags: { ...tags } }, { signal }),
  async unmake(aws, QueueName, signal) {
    const { QueueUrl = "" } = await aws.sqs.getQueueUrl({ QueueName }, { signal });
    await aws.sqs.deleteQueue({ QueueUrl }, { signal });
  },
  async untag(aws, QueueName, keys, signal) {
    const { QueueUrl = "" } = await aws.sqs.getQueueUrl({ QueueName }, { signal });
    await aws.sqs.untagQueue({ QueueUrl, TagKeys: [...keys] }, { signal });
    // Who is answered as the one before is answered as this one.
    await aws.sqs.listQueueTags({ QueueUrl }, { signal });
  },
  *found(state) {
    type Queue = Records & { readonly attributes: Pairs; readonly deletedAt?: number };
    for (const each of listed<Queue>(state, "sqs/queues", ["attributes"], ({ deletedAt }) => deletedAt !== undefined)) {
      yield { ...each, content: { attributes: sortedPairs(each.content["attributes"] as unknown as Pairs) } };
    }
  },
};

const s3Bucket: InfraSubject = {
  kind: "S3Bucket",
  base: (bucketName) => ({ bucketName }),
  changes: [
    { versioning: { enabled: true } },
    { lifecycleRules: [{ id: "old", expiration: { days: 30 } }] },
    { lifecycleRules: null, requestPayment: "Requester" },
  ],
  make: (aws, Bucket, signal) =>
    aws.s3.createBucket({ Bucket, CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } }, { signal }),
  found: (state) =>
    listed(state, "s3/buckets", ["versioning", "encryption", "publicAccessBlock", "ownership", "lifecycle", "payer"]),
};

const snsTopic: InfraSubject = {
  kind: "SNSTopic",
  base: (topicName) => ({ topicName }),
  changes: [{ displayName: "one" }, { displayName: "two", tracingConfig: "Active" }, { displayName: null }],
  make: (aws, Name, signal) => aws.sns.createTopic({ Name }, { signal }),
  makeTagged: (aws, Name, tags, signal) =>
    aws.sns.createTopic({ Name, Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }, { signal }),
  *found(state) {
    for (const each of listed<Records & { readonly attributes: Pairs }>(state, "sns/topics", ["attributes"])) {
      yield { ...each, content: { attributes: sortedPairs(each.content["attributes"] as unknown as Pairs) } };
    }
  },
};

const dynamodbTable: InfraSubject = {
  kind: "DynamoDBTable",
  base: (tableName) => ({ tableName, billingMode: "PAY_PER_REQUEST", hashKey: { name: "id", type: "S" } }),
  changes: [
    { timeToLive: { enabled: true, attributeName: "endsAt" } },
    { streamEnabled: true, streamViewType: "KEYS_ONLY" },
    { streamEnabled: null, streamViewType: null, pointInTimeRecovery: true },
  ],
  make: (aws, TableName, signal) =>
    aws.dynamodb.createTable(
      {
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      },
      { signal },
    ),
  found: (state) =>
    listed<Records & { readonly phase?: { readonly status: string } }>(
      state,
      "dynamodb/tables",
      ["billing", "stream"],
      ({ phase }) => phase?.status === "DELETING",
    ),
};

const trust = (service: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }],
  });

const iamRole: InfraSubject = {
  kind: "IAMRole",
  base: (roleName) => ({ roleName, assumeRolePolicyDocument: trust("ec2.amazonaws.com") }),
  changes: [
    { description: "one", maxSessionDuration: 7200 },
    { description: "two", managedPolicyArns: ["arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"] },
    { maxSessionDuration: null, assumeRolePolicyDocument: trust("lambda.amazonaws.com") },
  ],
  replaced: { path: "/moved/" },
  make: (aws, RoleName, signal) =>
    aws.iam.createRole({ RoleName, AssumeRolePolicyDocument: trust("ec2.amazonaws.com") }, { signal }),
  unmake: (aws, RoleName, signal) => aws.iam.deleteRole({ RoleName }, { signal }),
  found: (state) => listed(state, "iam/roles", ["path", "description", "maxSessionSeconds", "attached", "inline"]),
};

const ecrRepository: InfraSubject = {
  kind: "ECRRepository",
  base: (repositoryName) => ({ repositoryName }),
  changes: [{ scanOnPush: true }, { imageTagMutability: "IMMUTABLE" }, { scanOnPush: null }],
  make: (aws, repositoryName, signal) => aws.ecr.createRepository({ repositoryName }, { signal }),
  found: (state) => listed(state, "ecr/repositories", ["mutability", "scanOnPush", "policy"]),
};

const ec2Instance: InfraSubject = {
  kind: "EC2Instance",
  base: (instanceName) => ({ instanceName, instanceType: "t3.micro", imageID: "ami-0a1b2c3d4e5f60001" }),
  changes: [{ monitoring: true }, { disableApiStop: true }, { monitoring: null, disableApiStop: null }],
  replaced: { imageID: "ami-0a1b2c3d4e5f60003" },
  unmake: (aws, id, signal) => aws.ec2.terminateInstances({ InstanceIds: [id] }, { signal }),
  *found(state) {
    const tagsOf = state.records<Pairs>("ec2/tags");
    type Machine = {
      readonly id: string;
      readonly type: string;
      readonly monitoring: boolean;
      readonly noStop: boolean;
      readonly privateIp: string;
      readonly publicIp?: string;
      readonly life: { readonly last: string };
    };
    for (const [key, machine] of state.records<Machine>("ec2/instances").list()) {
      if (machine.life.last === "terminated") continue;
      const tags = tagsOf.get(key) ?? [];
      const name = new Map(tags).get("Name") ?? "?";
      const { id, type, monitoring, noStop, privateIp, publicIp } = machine;
      const aliases = [privateIp, ...(publicIp === undefined ? [] : [publicIp])];
      yield { id, name, content: { type, monitoring, noStop }, tags, aliases };
    }
  },
};

const rdsInstance: InfraSubject = {
  kind: "RDSInstance",
  // One that makes its first backup is ready, and is looked at again much later.
  quietMs: 16 * 60_000,
  base: (dbInstanceIdentifier) => ({
    dbInstanceIdentifier,
    engine: "postgres",
    dbInstanceClass: "db.t4g.micro",
    allocatedStorage: 20,
    masterUsername: "shop",
    manageMasterUserPassword: true,
    skipFinalSnapshot: true,
  }),
  changes: [
    { backupRetentionPeriod: 3 },
    { backupRetentionPeriod: 5, copyTagsToSnapshot: true },
    { copyTagsToSnapshot: null },
  ],
  make: (aws, DBInstanceIdentifier, signal) =>
    aws.rds.createDBInstance(
      {
        DBInstanceIdentifier,
        Engine: "postgres",
        DBInstanceClass: "db.t4g.micro",
        AllocatedStorage: 20,
        MasterUsername: "shop",
        ManageMasterUserPassword: true,
      },
      { signal },
    ),
  *found(state) {
    type Database = {
      readonly facts: Readonly<Record<string, Json>> & { readonly DBInstanceIdentifier: string };
      readonly life: { readonly last: string };
      readonly tags: Pairs;
    };
    for (const [id, { facts, life, tags }] of state.records<Database>("rds/instances").list()) {
      if (life.last === "gone") continue;
      const { DBInstanceIdentifier: name, DBInstanceClass = null, AllocatedStorage = null } = facts;
      yield { id, name, content: { DBInstanceClass, AllocatedStorage }, tags };
    }
  },
};

const secret: InfraSubject = {
  kind: "SecretsManagerSecret",
  // A name that is still held by one that was deleted is tried again after a quarter of an hour.
  quietMs: 16 * 60_000,
  // One that holds its name for days could not be made anew within a run.
  base: (secretName) => ({ secretName, recoveryWindowInDays: 0 }),
  changes: [{ description: "one" }, { description: "two", kmsKeyId: "alias/two" }, { description: "three" }],
  make: (aws, Name, signal) =>
    aws.secretsmanager.createSecret({ Name, ClientRequestToken: Name.padEnd(32, "-") }, { signal }),
  makeTagged: (aws, Name, tags, signal) =>
    aws.secretsmanager.createSecret(
      {
        Name,
        ClientRequestToken: Name.padEnd(32, "-"),
        Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      },
      { signal },
    ),
  // It can be had back: making it anew is that.
  unmake: (aws, SecretId, signal) => aws.secretsmanager.deleteSecret({ SecretId, RecoveryWindowInDays: 7 }, { signal }),
  *found(state) {
    type Secret = Records & { readonly arn: string; readonly deletion?: object };
    const isGone = ({ deletion }: Secret): boolean => deletion !== undefined;
    for (const each of listed<Secret>(state, "secretsmanager/secrets", ["description", "kmsKeyId", "arn"], isGone)) {
      const { arn, ...content } = each.content;
      // It ends in characters that are drawn.
      yield { ...each, content, aliases: [String(arn)] };
    }
  },
};

/** Kinds that are simulated. */
export const SUBJECTS: readonly InfraSubject[] = [
  sqsQueue,
  s3Bucket,
  snsTopic,
  dynamodbTable,
  iamRole,
  ecrRepository,
  ec2Instance,
  rdsInstance,
  secret,
];
