import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueueTagsCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { JsonObject } from "@gatewright/kube";
import { SQSQueue } from "@gatewright/resources";
import { anyKind } from "../../../packages/infra/src/engine/aws-kind.ts";
import { sqsQueue } from "../../../packages/infra/src/kinds/sqs-queue/index.ts";
import { fieldsRoundTrip } from "../../../packages/infra/src/kinds/testing/fields-round-trip.ts";
import type { RoundTrip } from "../../../packages/infra/src/kinds/testing/fields-round-trip.ts";
import type { KindStage } from "../../../packages/infra/src/kinds/testing/kind-stage.ts";
import { kindWorld } from "../../../packages/infra/src/kinds/testing/kind-world.ts";

/** What changes by itself, or tells when something was done. */
const PASSING = /^(?:ApproximateNumberOf|CreatedTimestamp$|LastModifiedTimestamp$)/;

const each = (field: string, ...values: readonly (number | string | boolean)[]): JsonObject[] =>
  values.map((value) => ({ [field]: value }));
const policy = (Action: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { AWS: "111111111111" }, Action, Resource: "*" }],
  });
const arn = (stage: KindStage, name: string): string =>
  `arn:aws:sqs:${stage.ground.region}:${stage.ground.account}:${name}`;

const clients = new WeakMap<KindStage, SQSClient>();

function clientOf(stage: KindStage): SQSClient {
  const client = clients.get(stage) ?? new SQSClient({ ...stage.sdk() });
  client.config.systemClockOffset = stage.sdk().systemClockOffset;
  clients.set(stage, client);
  return client;
}

/** Everything that AWS tells of a queue and that stays. */
async function look(stage: KindStage, name: string): Promise<unknown> {
  const client = clientOf(stage);
  const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
  const { Attributes = {} } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  const { Tags = {} } = await client.send(new ListQueueTagsCommand({ QueueUrl }));
  const kept = Object.entries(Attributes).filter(([attribute]) => !PASSING.test(attribute));
  return { attributes: Object.fromEntries(kept), tags: Tags };
}

async function deadLetterQueue(stage: KindStage, name: string, fifo: boolean): Promise<Record<string, string>> {
  const Attributes = fifo ? { FifoQueue: "true" } : {};
  await clientOf(stage).send(new CreateQueueCommand({ QueueName: name, Attributes }));
  return { "deadLetterQueue.queueRef": arn(stage, name) };
}

const law = {
  kind: anyKind(sqsQueue),
  definition: SQSQueue,
  open: () => kindWorld({ listening: true }),
  look,
} satisfies Partial<RoundTrip>;

const FIFO = {
  contentBasedDeduplication: each("contentBasedDeduplication", true, false),
  deduplicationScope: each("deduplicationScope", "messageGroup", "queue"),
  fifoThroughputLimit: [
    { deduplicationScope: "messageGroup", fifoThroughputLimit: "perMessageGroupId" },
    { fifoThroughputLimit: "perQueue" },
    // From and to what has neither, and to the scope alone.
    { deduplicationScope: "messageGroup", fifoThroughputLimit: "perMessageGroupId" },
    { deduplicationScope: "queue" },
    { deduplicationScope: "messageGroup", fifoThroughputLimit: "perMessageGroupId" },
    { deduplicationScope: "messageGroup" },
  ],
};

const DEAD = "arn:aws:sqs:eu-west-1:000000000000:dead";
const STANDARD = {
  delaySeconds: each("delaySeconds", 5, 900, 0),
  maximumMessageSize: each("maximumMessageSize", 1024, 262_144, 1_048_576),
  messageRetentionPeriod: each("messageRetentionPeriod", 60, 1_209_600, 345_600),
  visibilityTimeout: each("visibilityTimeout", 0, 60, 43_200),
  receiveMessageWaitTimeSeconds: each("receiveMessageWaitTimeSeconds", 20, 1, 0),
  deadLetterQueue: [
    { deadLetterQueue: { queueRef: { name: "dead" }, maxReceiveCount: 3 } },
    { deadLetterQueue: { targetArn: DEAD, maxReceiveCount: 1000 } },
    { deadLetterQueue: { targetArn: DEAD } },
  ],
  redriveAllowPolicy: [
    { redriveAllowPolicy: { redrivePermission: "denyAll" } },
    { redriveAllowPolicy: { redrivePermission: "byQueue", sourceQueueArns: [DEAD, `${DEAD}-2`] } },
    { redriveAllowPolicy: { redrivePermission: "allowAll" } },
  ],
  policy: [
    { policy: policy("sqs:SendMessage") },
    { policy: policy("sqs:ReceiveMessage").replace('"Version":"2012-10-17",', "") },
    { policy: policy("sqs:*") },
  ],
  sqsManagedSseEnabled: each("sqsManagedSseEnabled", false, true),
  kmsMasterKeyId: each("kmsMasterKeyId", "alias/aws/sqs", "alias/one", "alias/two"),
  kmsDataKeyReusePeriodSeconds: [60, 86_400, 300].map((kmsDataKeyReusePeriodSeconds) => ({
    kmsMasterKeyId: "alias/one",
    kmsDataKeyReusePeriodSeconds,
  })),
};

const elsewhere = (fields: object, where: string): Record<string, string> =>
  Object.fromEntries(Object.keys(fields).map((path) => [path, `tried on ${where} queues`]));

fieldsRoundTrip({
  ...law,
  base: (number) => ({ queueName: `sample-${number}` }),
  samples: STANDARD,
  except: elsewhere(FIFO, "FIFO"),
  prepare: (stage) => deadLetterQueue(stage, "dead", false),
});

fieldsRoundTrip({
  ...law,
  base: (number) => ({ queueName: `sample-${number}.fifo`, fifoQueue: true }),
  samples: {
    ...FIFO,
    deadLetterQueue: [1, 10, 100].map((maxReceiveCount) => ({
      deadLetterQueue: { queueRef: { name: "dead" }, maxReceiveCount },
    })),
  },
  twoValued: ["deduplicationScope", "fifoThroughputLimit"],
  except: Object.fromEntries(
    Object.entries(elsewhere(STANDARD, "standard")).filter(([path]) => path !== "deadLetterQueue"),
  ),
  prepare: (stage) => deadLetterQueue(stage, "dead.fifo", true),
});
