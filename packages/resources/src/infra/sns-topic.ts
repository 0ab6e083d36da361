import { defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const arn = (description: string) => s.string({ description, minLength: 20, maxLength: 2048, pattern: "^arn:" });
const document = (description: string, maxLength: number) =>
  s.string({ description, maxLength, pattern: "^\\s*\\{" }).optional();

/** CEL: `a` and `b` both lack the field, or have it alike. */
const alike = (field: string, part = ""): string =>
  `(has(a.${field}) ? has(b.${field}) && a.${field}${part} == b.${field}${part} : !has(b.${field}))`;

/** Endpoints so long that comparing all of them would cost a server too much are not compared. */
const TOO_LONG = "self.map(each, has(each.endpoint) ? size(each.endpoint) : 0).sum() > 60000";

const subscription = s.object(
  {
    protocol: s.string({
      description: "How messages are delivered.",
      enum: ["http", "https", "email", "email-json", "sms", "sqs", "lambda", "application", "firehose"],
    }),
    endpoint: s
      .string({
        description:
          "Where to: a URL, an address, a telephone number, an ARN. Mail and URLs get nothing until somebody confirms there. SNS never tells the password of a URL: that one changed is not noticed; take the entry away and add it again.",
        minLength: 1,
        maxLength: 2048,
      })
      .optional(),
    queueRef: s
      .localReference({
        description: "The SQSQueue, in the same namespace, that gets the messages. Its policy must let the topic send.",
      })
      .optional(),
    rawMessageDelivery: s
      .boolean({ description: "Whether the bare message is delivered, without SNS's envelope. AWS: off." })
      .optional(),
    filterPolicy: document("Which messages are delivered, a JSON document. AWS: all.", 65_536),
    filterPolicyScope: s
      .string({
        description: "What the filter looks at. AWS: MessageAttributes.",
        enum: ["MessageAttributes", "MessageBody"],
      })
      .optional(),
    deadLetterQueueArn: arn("ARN of the queue that takes what cannot be delivered.").optional(),
    deadLetterQueueRef: s
      .localReference({ description: "The SQSQueue, in the same namespace, that takes what cannot be delivered." })
      .optional(),
    deliveryPolicy: document("How deliveries to URLs are repeated, a JSON document.", 8192),
    subscriptionRoleArn: arn("With firehose: the role that SNS writes with.").optional(),
  },
  {
    description: "One who gets the messages.",
    rules: [
      {
        rule: "has(self.endpoint) != has(self.queueRef)",
        message: "exactly one of endpoint or queueRef must be set",
      },
      {
        rule: "!has(self.queueRef) || self.protocol == 'sqs'",
        message: "queueRef is for protocol sqs",
        fieldPath: ".queueRef",
      },
      {
        rule: "!(has(self.deadLetterQueueArn) && has(self.deadLetterQueueRef))",
        message: "at most one of deadLetterQueueArn or deadLetterQueueRef may be set",
      },
      {
        rule: "!has(self.filterPolicyScope) || has(self.filterPolicy)",
        message: "filterPolicyScope can only be set together with filterPolicy",
        fieldPath: ".filterPolicyScope",
      },
      {
        rule: "!has(self.endpoint) || !(self.protocol in ['http', 'https']) || self.endpoint.startsWith(self.protocol + '://')",
        message: "the endpoint must be a URL of the protocol",
        fieldPath: ".endpoint",
      },
      {
        rule: "!has(self.endpoint) || !(self.protocol in ['sqs', 'lambda', 'application', 'firehose']) || self.endpoint.startsWith('arn:')",
        message: "the endpoint must be an ARN",
        fieldPath: ".endpoint",
      },
      {
        rule: "!(has(self.rawMessageDelivery) && self.rawMessageDelivery) || self.protocol in ['sqs', 'http', 'https', 'firehose']",
        message: "rawMessageDelivery is for sqs, http, https and firehose",
        fieldPath: ".rawMessageDelivery",
      },
      {
        rule: "has(self.subscriptionRoleArn) == (self.protocol == 'firehose')",
        message: "subscriptionRoleArn is needed for firehose, and for nothing else",
        fieldPath: ".subscriptionRoleArn",
      },
    ],
  },
);

/** A topic of SNS. */
export const SNSTopic = defineResource({
  ...INFRA_GROUP,
  kind: "SNSTopic",
  shortNames: ["sns"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "A topic of Amazon SNS, with those who get its messages.",
  spec: s.object(
    {
      ...managedSpec,
      topicName: s.string({
        description: "Name of the topic. One that ends in .fifo is a FIFO topic.",
        minLength: 1,
        maxLength: 256,
        pattern: "^[A-Za-z0-9_-]{1,256}(\\.fifo)?$",
        rules: [immutable("is immutable: a topic of another name is another topic")],
      }),
      fifoTopic: s
        .boolean({
          description: "Whether messages keep their order. Must fit the name.",
          rules: [immutable("is immutable: make a topic of another name")],
        })
        .optional(),
      contentBasedDeduplication: s
        .boolean({ description: "Whether equal messages within five minutes are one. FIFO topics only. AWS: off." })
        .optional(),
      fifoThroughputScope: s
        .string({
          description: "Where equal messages are looked for. FIFO topics only. AWS: Topic.",
          enum: ["Topic", "MessageGroup"],
        })
        .optional(),
      displayName: s
        .string({ description: "Name that receivers of mail and short messages see.", maxLength: 100 })
        .optional(),
      kmsMasterKeyId: s
        .string({ description: "Encryption with this KMS key.", minLength: 1, maxLength: 2048 })
        .optional(),
      policy: document(
        "Access policy, a JSON document. Compared by meaning, not by spelling. AWS: the account itself.",
        30_720,
      ),
      deliveryPolicy: document("How deliveries to URLs are repeated, a JSON document.", 8192),
      signatureVersion: s
        .string({ description: "How messages are signed: 1 with SHA-1, 2 with SHA-256. AWS: 1.", enum: ["1", "2"] })
        .optional(),
      tracingConfig: s
        .string({ description: "Whether X-Ray sees the messages. AWS: PassThrough.", enum: ["PassThrough", "Active"] })
        .optional(),
      subscriptions: s
        .array(subscription, {
          description:
            "All subscriptions of the topic: others that were confirmed are ended. Leave it out where receivers subscribe by themselves.",
          maxItems: 100,
          listType: "atomic",
          rules: [
            {
              rule: `${TOO_LONG} || self.all(a, self.exists_one(b, a.protocol == b.protocol && ${alike("endpoint")} && ${alike("queueRef", ".name")}))`,
              message: "two subscriptions have the same protocol and receiver: make one of them",
            },
          ],
        })
        .optional(),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan"],
        "Delete",
        " Delete: it goes, with all subscriptions.",
      ),
    },
    {
      rules: [
        {
          rule: "!has(self.fifoTopic) || self.fifoTopic == self.topicName.endsWith('.fifo')",
          message: "fifoTopic is true for topics whose name ends in .fifo, and for no others",
          fieldPath: ".fifoTopic",
        },
        {
          rule: "self.topicName.endsWith('.fifo') || !(has(self.contentBasedDeduplication) && self.contentBasedDeduplication || has(self.fifoThroughputScope))",
          message: "contentBasedDeduplication and fifoThroughputScope are for FIFO topics",
        },
        {
          rule: "!self.topicName.endsWith('.fifo') || !has(self.subscriptions) || self.subscriptions.all(each, each.protocol == 'sqs')",
          message: "FIFO topics deliver to sqs only",
          fieldPath: ".subscriptions",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    topicArn: s.string({ description: "ARN of the topic.", maxLength: 2048 }).optional(),
    subscriptionArns: s
      .array(s.string({ maxLength: 2048 }), {
        description: "ARNs of the subscriptions that are confirmed, while the spec has any.",
        maxItems: 100,
        listType: "atomic",
      })
      .optional(),
    subscriptionsConfirmed: s
      .integer({ description: "How many subscriptions get messages.", format: "int32" })
      .optional(),
    subscriptionsPending: s
      .integer({ description: "How many wait for somebody to confirm them.", format: "int32" })
      .optional(),
  }),
  columns: [
    { name: "Topic", type: "string", path: ".spec.topicName" },
    { name: "Subscriptions", type: "integer", path: ".status.subscriptionsConfirmed" },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SNSTopic",
    metadata: { name: "order-events", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      topicName: "shop-order-events",
      subscriptions: [
        {
          protocol: "sqs",
          queueRef: { name: "orders" },
          rawMessageDelivery: true,
          filterPolicy: '{"event": ["placed", "cancelled"]}',
        },
        { protocol: "email", endpoint: "orders@shop.example" },
      ],
      writeOutputsTo: { name: "order-events-topic", data: { TOPIC_ARN: "${arn}" } },
    },
  },
});

/** {@inheritDoc SNSTopic} */
export type SNSTopic = ObjectOf<typeof SNSTopic>;
