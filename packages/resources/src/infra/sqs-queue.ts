import { defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const count = (description: string, minimum: number, maximum: number) =>
  s.integer({ description, format: "int64", minimum, maximum }).optional();
const arn = (description: string) => s.string({ description, minLength: 20, maxLength: 2048, pattern: "^arn:" });

/** A queue of SQS. */
export const SQSQueue = defineResource({
  ...INFRA_GROUP,
  kind: "SQSQueue",
  shortNames: ["sqs"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A queue of Amazon SQS.",
  spec: s.object(
    {
      ...managedSpec,
      queueName: s.string({
        description: "Name of the queue. One that ends in .fifo is a FIFO queue.",
        minLength: 1,
        maxLength: 80,
        pattern: "^[A-Za-z0-9_-]{1,80}(\\.fifo)?$",
        rules: [immutable("is immutable: a queue of another name is another queue")],
      }),
      fifoQueue: s
        .boolean({
          description: "Whether messages keep their order. Must fit the name.",
          rules: [immutable("is immutable: make a queue of another name")],
        })
        .optional(),
      contentBasedDeduplication: s
        .boolean({ description: "Whether equal bodies within five minutes are one message. FIFO queues only." })
        .optional(),
      deduplicationScope: s
        .string({
          description: "Where equal messages are looked for. FIFO queues only.",
          enum: ["messageGroup", "queue"],
        })
        .optional(),
      fifoThroughputLimit: s
        .string({
          description:
            "What the throughput quota counts for. FIFO queues only. perMessageGroupId needs deduplicationScope messageGroup.",
          enum: ["perQueue", "perMessageGroupId"],
        })
        .optional(),
      delaySeconds: count("How long new messages wait. AWS: 0.", 0, 900),
      maximumMessageSize: count("Largest message, in bytes. AWS: 1048576.", 1024, 1_048_576),
      messageRetentionPeriod: count("How long messages are kept, in seconds. AWS: 345600, four days.", 60, 1_209_600),
      visibilityTimeout: count("How long a received message is hidden from others, in seconds. AWS: 30.", 0, 43_200),
      receiveMessageWaitTimeSeconds: count("How long a receive waits for messages. AWS: 0.", 0, 20),
      deadLetterQueue: s
        .object(
          {
            targetArn: arn("ARN of the queue that takes what cannot be handled.").optional(),
            queueRef: s
              .localReference({ description: "The SQSQueue, in the same namespace, that takes it." })
              .optional(),
            maxReceiveCount: s.integer({
              description: "How often a message is received before it goes there.",
              format: "int32",
              minimum: 1,
              maximum: 1000,
              default: 10,
            }),
          },
          {
            description: "Where messages go that were received too often.",
            rules: [
              {
                rule: "has(self.targetArn) != has(self.queueRef)",
                message: "exactly one of targetArn or queueRef must be set",
              },
            ],
          },
        )
        .optional(),
      redriveAllowPolicy: s
        .object(
          {
            redrivePermission: s.string({
              description: "Whose dead-letter queue this one may be.",
              enum: ["allowAll", "denyAll", "byQueue"],
            }),
            sourceQueueArns: s
              .array(arn("ARN of a queue."), {
                description: "With byQueue: which ones.",
                maxItems: 10,
                listType: "set",
              })
              .optional(),
          },
          { description: "Which queues may use this one as dead-letter queue. AWS: all of the account." },
        )
        .optional(),
      policy: s
        .string({
          description: "Access policy, a JSON document. Compared by meaning, not by spelling.",
          maxLength: 65_536,
        })
        .optional(),
      sqsManagedSseEnabled: s.boolean({ description: "Encryption with keys of SQS. AWS: on." }).optional(),
      kmsMasterKeyId: s
        .string({ description: "Encryption with this KMS key.", minLength: 1, maxLength: 2048 })
        .optional(),
      kmsDataKeyReusePeriodSeconds: count("How long a data key is reused. AWS: 300.", 60, 86_400),
      deletionPolicy: deletionPolicy(["Delete", "Retain", "Orphan"], "Delete", " Delete: it goes, with its messages."),
    },
    {
      rules: [
        {
          rule: "!has(self.fifoQueue) || self.fifoQueue == self.queueName.endsWith('.fifo')",
          message: "fifoQueue is true for queues whose name ends in .fifo, and for no others",
          fieldPath: ".fifoQueue",
        },
        {
          rule: "self.queueName.endsWith('.fifo') || !(has(self.contentBasedDeduplication) && self.contentBasedDeduplication || has(self.deduplicationScope) || has(self.fifoThroughputLimit))",
          message: "contentBasedDeduplication, deduplicationScope and fifoThroughputLimit are for FIFO queues",
        },
        {
          rule: "!has(self.fifoThroughputLimit) || self.fifoThroughputLimit != 'perMessageGroupId' || has(self.deduplicationScope) && self.deduplicationScope == 'messageGroup'",
          message:
            "perMessageGroupId needs deduplicationScope messageGroup: set that too, or take fifoThroughputLimit away",
          fieldPath: ".fifoThroughputLimit",
        },
        {
          rule: "!(has(self.kmsMasterKeyId) && has(self.sqsManagedSseEnabled) && self.sqsManagedSseEnabled)",
          message: "a queue is encrypted with kmsMasterKeyId or with sqsManagedSseEnabled, not with both",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    queueURL: s.string({ description: "URL that messages are sent to.", maxLength: 2048 }).optional(),
    queueARN: s.string({ description: "ARN of the queue.", maxLength: 2048 }).optional(),
    approximateNumberOfMessages: s
      .integer({ description: "Messages in the queue when it was last looked at.", format: "int64" })
      .optional(),
    approximateNumberOfMessagesNotVisible: s
      .integer({ description: "Messages being handled when it was last looked at.", format: "int64" })
      .optional(),
  }),
  columns: [{ name: "Queue", type: "string", path: ".spec.queueName" }, ...managedColumns],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SQSQueue",
    metadata: { name: "orders", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      queueName: "shop-orders",
      visibilityTimeout: 60,
      deadLetterQueue: { queueRef: { name: "orders-failed" }, maxReceiveCount: 5 },
      writeOutputsTo: { name: "orders-queue", data: { QUEUE_URL: "${url}" } },
    },
  },
});

/** {@inheritDoc SQSQueue} */
export type SQSQueue = ObjectOf<typeof SQSQueue>;
