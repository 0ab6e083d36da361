import { SQSQueue } from "@gatewright/resources";
import type { Json } from "@gatewright/kube";
import { textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const attributesSeen = (attributes: Readonly<Record<string, Json>>) => ({ attributes });
const stop = (field: string, value: Json, attribute: string, seen: Json): FieldStop => ({
  field,
  put: { [field]: value },
  sees: attributesSeen({ [attribute]: seen }),
});
const POLICY = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { AWS: "111111111111" }, Action: "sqs:SendMessage", Resource: "*" }],
};

const shared = {
  resource: managed(SQSQueue),
  async find(cli: Cli, name: string) {
    const told = await cli.askUnless(/NonExistentQueue|QueueDoesNotExist/, `sqs get-queue-url --queue-name ${name}`);
    return told === undefined ? undefined : textIn(told, "QueueUrl");
  },
  looks: {
    async attributes(cli: Cli, url: string) {
      const told = await cli.ask(`sqs get-queue-attributes --attribute-names All --queue-url ${url}`);
      const { LastModifiedTimestamp: _, ...rest } = within(told, "Attributes") as Record<string, Json>;
      return rest;
    },
  },
  async tags(cli: Cli, url: string) {
    return (within(await cli.ask(`sqs list-queue-tags --queue-url ${url}`), "Tags") ?? {}) as Record<string, string>;
  },
};

const FIFO_ONLY = ["contentBasedDeduplication", "deduplicationScope", "fifoThroughputLimit"];

export const sqsQueueTour: KindTour = {
  ...shared,
  title: "SQSQueue",
  elsewhere: FIFO_ONLY,
  async open(cli) {
    const made = await cli.ask("sqs create-queue --queue-name tour-dead");
    const dead = await cli.ask(
      `sqs get-queue-attributes --attribute-names QueueArn --queue-url ${textIn(made, "QueueUrl")}`,
    );
    const targetArn = textIn(dead, "Attributes", "QueueArn");
    return {
      spec: (queueName) => ({ queueName, visibilityTimeout: 60 }),
      made: attributesSeen({ VisibilityTimeout: "60", DelaySeconds: "0", MessageRetentionPeriod: "345600" }),
      adopted: attributesSeen({ VisibilityTimeout: "60", DelaySeconds: "9" }),
      changes: [
        stop("visibilityTimeout", 90, "VisibilityTimeout", "90"),
        stop("delaySeconds", 5, "DelaySeconds", "5"),
        stop("maximumMessageSize", 2048, "MaximumMessageSize", "2048"),
        stop("messageRetentionPeriod", 600, "MessageRetentionPeriod", "600"),
        stop("receiveMessageWaitTimeSeconds", 20, "ReceiveMessageWaitTimeSeconds", "20"),
        stop("deadLetterQueue", { targetArn, maxReceiveCount: 3 }, "RedrivePolicy", {
          deadLetterTargetArn: targetArn,
          maxReceiveCount: 3,
        }),
        stop("redriveAllowPolicy", { redrivePermission: "denyAll" }, "RedriveAllowPolicy", {
          redrivePermission: "denyAll",
        }),
        stop("policy", JSON.stringify(POLICY), "Policy", POLICY),
        stop("sqsManagedSseEnabled", false, "SqsManagedSseEnabled", "false"),
        stop("kmsMasterKeyId", "alias/shop", "KmsMasterKeyId", "alias/shop"),
        {
          field: "kmsDataKeyReusePeriodSeconds",
          put: { kmsMasterKeyId: "alias/shop", kmsDataKeyReusePeriodSeconds: 600 },
          sees: attributesSeen({ KmsDataKeyReusePeriodSeconds: "600" }),
        },
      ],
    };
  },
  drift: {
    by: (cli, url) => cli.ask(`sqs set-queue-attributes --attributes VisibilityTimeout=7 --queue-url ${url}`),
    sees: attributesSeen({ VisibilityTimeout: "7" }),
  },
  makeByHand: (cli, name) =>
    cli.ask(`sqs create-queue --tags team=old --attributes DelaySeconds=9 --queue-name ${name}`),
};

const fifo = (name: string): string => `${name}.fifo`;

export const fifoQueueTour: KindTour = {
  ...shared,
  title: "SQSQueue FIFO",
  elsewhere: [
    "visibilityTimeout",
    "delaySeconds",
    "maximumMessageSize",
    "messageRetentionPeriod",
    "receiveMessageWaitTimeSeconds",
    "deadLetterQueue",
    "redriveAllowPolicy",
    "policy",
    "sqsManagedSseEnabled",
    "kmsMasterKeyId",
    "kmsDataKeyReusePeriodSeconds",
  ],
  find: (cli, name) => shared.find(cli, fifo(name)),
  open: async () => ({
    spec: (name) => ({ queueName: fifo(name), fifoQueue: true }),
    made: attributesSeen({ FifoQueue: "true", ContentBasedDeduplication: "false" }),
    changes: [
      stop("contentBasedDeduplication", true, "ContentBasedDeduplication", "true"),
      stop("deduplicationScope", "messageGroup", "DeduplicationScope", "messageGroup"),
      {
        field: "fifoThroughputLimit",
        put: { deduplicationScope: "messageGroup", fifoThroughputLimit: "perMessageGroupId" },
        sees: attributesSeen({ FifoThroughputLimit: "perMessageGroupId" }),
      },
    ],
  }),
};
