import { SNSTopic } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeTopic, createTopic, readTopic, removeTopic, tagTopic } from "./calls.ts";
import { TOPIC_FIELDS } from "./fields.ts";
import { subscriptionReferences } from "./subscriptions.ts";
import { attributeOf } from "./topic.ts";
import type { Topic } from "./topic.ts";

const MOST_TOLD = 100;

/** A topic of SNS. Its name is its id. */
export const snsTopic: AwsKind<SNSTopic, Topic> = {
  resource: SNSTopic,
  finalizer: "aws-infra-operator.runner.codes/snstopic-finalizer",
  service: "sns",
  tagType: "sns",
  holdsData: false,
  driftMs: 30 * 60_000,
  // Names make creation safe to repeat.
  lagMs: 5_000,
  nameOf: ({ topicName }) => topicName,
  idOf: (arn) => arn.slice(arn.lastIndexOf(":") + 1),
  fields: TOPIC_FIELDS,
  references: subscriptionReferences,
  outputsInStatus: { arn: "topicArn" },
  read: readTopic,
  create: createTopic,
  change: changeTopic,
  tag: tagTopic,
  remove: removeTopic,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: (topic) => ({
    topicArn: topic.arn,
    subscriptionsConfirmed: Number(attributeOf(topic, "SubscriptionsConfirmed") ?? 0),
    subscriptionsPending: Number(attributeOf(topic, "SubscriptionsPending") ?? 0),
    ...(topic.subscriptions && {
      subscriptionArns: topic.subscriptions
        .flatMap(({ arn }) => (arn === undefined ? [] : [arn]))
        .toSorted()
        .slice(0, MOST_TOLD),
    }),
  }),
  outputsOf: ({ arn, name }) => ({ arn, name }),
};
