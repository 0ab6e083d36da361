import {
  GetSubscriptionAttributesCommand,
  GetTopicAttributesCommand,
  ListTagsForResourceCommand,
  paginateListSubscriptionsByTopic,
  SNSClient,
} from "@aws-sdk/client-sns";
import type { Json, JsonObject } from "@gatewright/kube";
import { SNSTopic } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { snsTopic } from "./index.ts";

const each = (name: string, ...values: readonly Json[]): JsonObject[] => values.map((value) => ({ [name]: value }));
const queue = (name: string): string => `arn:aws:sqs:eu-west-1:000000000000:${name}`;
const retries = (numRetries: number): string =>
  JSON.stringify({ http: { defaultHealthyRetryPolicy: { numRetries, minDelayTarget: 1, maxDelayTarget: 60 } } });
const policy = (...actions: readonly string[]): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { AWS: "111111111111" }, Action: actions, Resource: "*" }],
  });

const COMMON = {
  displayName: each("displayName", "Shop", "Orders", ""),
  kmsMasterKeyId: each("kmsMasterKeyId", "alias/aws/sns", "alias/shop", "alias/other"),
  policy: each("policy", policy("SNS:Publish"), policy("SNS:Subscribe", "SNS:Publish"), policy("SNS:Subscribe")),
  deliveryPolicy: each(
    "deliveryPolicy",
    retries(1),
    JSON.stringify({ http: { defaultThrottlePolicy: { maxReceivesPerSecond: 5 } } }),
    retries(5).replace('"http":{', '"http":{"defaultThrottlePolicy":{"maxReceivesPerSecond":5},'),
    retries(5),
  ),
  signatureVersion: each("signatureVersion", "2", "1"),
  tracingConfig: each("tracingConfig", "Active", "PassThrough"),
};

const EXCEPT_FIFO = {
  contentBasedDeduplication: "FIFO topics only",
  fifoThroughputScope: "FIFO topics only",
};

fieldsRoundTrip({
  kind: anyKind(snsTopic),
  definition: SNSTopic,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({ topicName: `sample-${number}` }),
  samples: {
    ...COMMON,
    subscriptions: each(
      "subscriptions",
      [{ protocol: "sqs", endpoint: queue("a") }],
      [
        {
          protocol: "sqs",
          endpoint: queue("a"),
          rawMessageDelivery: true,
          filterPolicy: '{"order": {"country": ["DE"]}}',
          filterPolicyScope: "MessageBody",
          deadLetterQueueArn: queue("dead"),
        },
        { protocol: "lambda", endpoint: "arn:aws:lambda:eu-west-1:000000000000:function:f" },
      ],
      [
        { protocol: "sqs", endpoint: queue("a"), filterPolicy: '{"kind":["new"]}' },
        { protocol: "sqs", endpoint: queue("b"), rawMessageDelivery: true },
        { protocol: "sms", endpoint: "+15550100" },
      ],
      [],
    ),
  },
  twoValued: ["signatureVersion", "tracingConfig"],
  except: EXCEPT_FIFO,
  look,
  normal,
});

fieldsRoundTrip({
  kind: anyKind(snsTopic),
  definition: SNSTopic,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({ topicName: `sample-${number}.fifo` }),
  samples: {
    contentBasedDeduplication: each("contentBasedDeduplication", true, false),
    fifoThroughputScope: each("fifoThroughputScope", "MessageGroup", "Topic"),
    subscriptions: each(
      "subscriptions",
      [{ protocol: "sqs", endpoint: queue("a.fifo") }],
      [{ protocol: "sqs", endpoint: queue("a.fifo"), rawMessageDelivery: true }],
      [{ protocol: "sqs", queueRef: { name: "orders" } }],
    ),
  },
  twoValued: ["fifoThroughputScope"],
  except: Object.fromEntries(Object.keys(COMMON).map((path) => [path, "as with other topics"])),
  prepare: async () => ({ "subscriptions[0].queueRef": queue("orders.fifo") }),
  walks: 4,
  look,
  normal,
});

/** All that SNS tells of a topic and its subscriptions, but for ids. */
async function look(stage: KindStage, id: string): Promise<unknown> {
  const sns = new SNSClient(stage.sdk());
  const TopicArn = `arn:aws:sns:eu-west-1:000000000000:${id}`;
  const { Attributes } = await sns.send(new GetTopicAttributesCommand({ TopicArn }));
  const { Tags = [] } = await sns.send(new ListTagsForResourceCommand({ ResourceArn: TopicArn }));
  const subscriptions: string[] = [];
  for await (const page of paginateListSubscriptionsByTopic({ client: sns }, { TopicArn })) {
    for (const { SubscriptionArn } of page.Subscriptions ?? []) {
      const told = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
      const { SubscriptionArn: _, ...rest } = told.Attributes ?? {};
      subscriptions.push(
        Object.entries(rest)
          .map((pair) => pair.join("="))
          .toSorted()
          .join(" "),
      );
    }
  }
  return {
    attributes: { SignatureVersion: "1", TracingConfig: "PassThrough", FifoThroughputScope: "Topic", ...Attributes },
    tags: Tags.map(({ Key, Value }) => `${Key}=${Value}`).toSorted(),
    subscriptions: subscriptions.toSorted(),
  };
}

/** SNS counts subscriptions that ended, as long as there is the topic. */
function normal(state: unknown): unknown {
  const { attributes, ...rest } = state as { readonly attributes: Readonly<Record<string, string>> };
  const { SubscriptionsDeleted: _, ...others } = attributes;
  return { ...rest, attributes: others };
}
