import { SNSTopic } from "@gatewright/resources";
import type { Json } from "@gatewright/kube";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

const arnOf = (name: string): string => `arn:aws:sns:eu-west-1:000000000000:${name}`;
const on = (cli: Cli, command: string, arn: string, ...rest: (string | object)[]) =>
  cli.askUnless(/^NotFound(Exception)?$/, `sns ${command} --topic-arn ${arn}`, ...rest);
const stop = (field: string, value: Json, attribute: string, seen: Json): FieldStop => ({
  field,
  put: { [field]: value },
  sees: { attributes: { [attribute]: seen } },
});
const POLICY = {
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { AWS: "111111111111" }, Action: "SNS:Publish", Resource: "*" }],
};
const RETRIES = { http: { defaultHealthyRetryPolicy: { numRetries: 5, minDelayTarget: 1, maxDelayTarget: 60 } } };

const shared = {
  resource: managed(SNSTopic),
  async find(cli: Cli, name: string) {
    const told = await on(cli, "get-topic-attributes", arnOf(name));
    return told === undefined ? undefined : arnOf(name);
  },
  looks: {
    async attributes(cli: Cli, arn: string) {
      const told = within(await on(cli, "get-topic-attributes", arn), "Attributes") as Readonly<Record<string, Json>>;
      // SNS counts those that ended, as long as there is the topic.
      const { SubscriptionsDeleted: _, ...rest } = told;
      return { SignatureVersion: "1", TracingConfig: "PassThrough", FifoThroughputScope: "Topic", ...rest };
    },
    async subscriptions(cli: Cli, arn: string) {
      const told = within(await on(cli, "list-subscriptions-by-topic", arn), "Subscriptions") as readonly Json[];
      const each = told.map(async (subscription) => {
        const id = textIn(subscription, "SubscriptionArn");
        const seen = await cli.ask(`sns get-subscription-attributes --subscription-arn ${id}`);
        return within(seen, "Attributes") as Json;
      });
      return Promise.all(each);
    },
  },
  tags: async (cli: Cli, arn: string) =>
    tagsIn(within(await cli.ask(`sns list-tags-for-resource --resource-arn ${arn}`), "Tags")),
};

const EVERY_TOPIC = [
  "displayName",
  "kmsMasterKeyId",
  "policy",
  "deliveryPolicy",
  "signatureVersion",
  "tracingConfig",
  "subscriptions",
];
const FIFO_ONLY = ["contentBasedDeduplication", "fifoThroughputScope"];

export const snsTopicTour: KindTour = {
  ...shared,
  title: "SNSTopic",
  elsewhere: FIFO_ONLY,
  async open(cli) {
    const queue = await cli.ask("sqs create-queue --queue-name tour-topic-events");
    const told = await cli.ask(
      `sqs get-queue-attributes --attribute-names QueueArn --queue-url ${textIn(queue, "QueueUrl")}`,
    );
    const endpoint = textIn(told, "Attributes", "QueueArn");
    return {
      spec: (topicName) => ({ topicName, displayName: "Tour" }),
      made: { attributes: { DisplayName: "Tour" }, subscriptions: [] },
      changes: [
        stop("displayName", "Other", "DisplayName", "Other"),
        stop("kmsMasterKeyId", "alias/shop", "KmsMasterKeyId", "alias/shop"),
        stop("policy", JSON.stringify(POLICY), "Policy", POLICY),
        stop("deliveryPolicy", JSON.stringify(RETRIES), "DeliveryPolicy", RETRIES),
        stop("signatureVersion", "2", "SignatureVersion", "2"),
        stop("tracingConfig", "Active", "TracingConfig", "Active"),
        {
          field: "subscriptions",
          put: { subscriptions: [{ protocol: "sqs", endpoint, rawMessageDelivery: true }] },
          sees: { subscriptions: [{ Protocol: "sqs", Endpoint: endpoint, RawMessageDelivery: "true" }] },
        },
      ],
    };
  },
  drift: {
    by: (cli, arn) =>
      on(cli, "set-topic-attributes", arn, "--attribute-name", "DisplayName", "--attribute-value", "Mine"),
    sees: { attributes: { DisplayName: "Mine" } },
  },
  makeByHand: (cli, name) => cli.ask(`sns create-topic --tags Key=team,Value=old --name ${name}`),
};

const fifo = (name: string): string => `${name}.fifo`;

export const fifoTopicTour: KindTour = {
  ...shared,
  title: "SNSTopic FIFO",
  elsewhere: EVERY_TOPIC,
  find: (cli, name) => shared.find(cli, fifo(name)),
  open: async () => ({
    spec: (name) => ({ topicName: fifo(name), fifoTopic: true }),
    made: { attributes: { FifoTopic: "true", ContentBasedDeduplication: "false" } },
    changes: [
      stop("contentBasedDeduplication", true, "ContentBasedDeduplication", "true"),
      stop("fifoThroughputScope", "MessageGroup", "FifoThroughputScope", "MessageGroup"),
    ],
  }),
};
