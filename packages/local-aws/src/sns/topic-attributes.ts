import { isJsonObject } from "../is-json-object.ts";
import { topicArn } from "./arn.ts";
import { checkDeliveryPolicy, effectiveDeliveryPolicy } from "./delivery-policy.ts";
import type { Pairs, TopicRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

type Rule = (value: string, name: string) => void;

const choice =
  (...values: readonly string[]): Rule =>
  (value, name) => {
    if (!values.includes(value))
      throw invalid(`${name} Reason: ${value.slice(0, 64)} is not one of ${values.join(", ")}`);
  };
const anything: Rule = () => {};
const rate: Rule = (value, name) => {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 100) throw invalid(`${name} Reason: must be between 0 and 100`);
};
const LONGEST_NAME = 100;

/** Attributes of topics of every kind. Where delivery reports go is asked for each kind of receiver. */
const ANY: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["Policy", checkPolicy],
  ["DeliveryPolicy", (value) => void (value === "" || checkDeliveryPolicy(value))],
  ["KmsMasterKeyId", anything],
  ["SignatureVersion", choice("1", "2")],
  ["TracingConfig", choice("PassThrough", "Active")],
  [
    "DisplayName",
    (value) => {
      if (value.length > LONGEST_NAME)
        throw invalid(`DisplayName Reason: must be at most ${LONGEST_NAME} characters long`);
    },
  ],
  ...["HTTP", "Firehose", "Lambda", "Application", "SQS"].flatMap((receiver): [string, Rule][] => [
    [`${receiver}SuccessFeedbackRoleArn`, anything],
    [`${receiver}SuccessFeedbackSampleRate`, rate],
    [`${receiver}FailureFeedbackRoleArn`, anything],
  ]),
]);
const FIFO_ONLY: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["ContentBasedDeduplication", choice("true", "false")],
  ["FifoThroughputScope", choice("Topic", "MessageGroup")],
  [
    "ArchivePolicy",
    (value) => {
      if (value !== "" && !isJsonObject(value)) throw invalid("ArchivePolicy");
    },
  ],
]);

/** Checks one attribute that somebody wants to set. */
export function checkTopicAttribute(name: string, value: string, fifo: boolean): void {
  const rule = ANY.get(name) ?? (fifo ? FIFO_ONLY.get(name) : undefined);
  if (rule === undefined) {
    throw FIFO_ONLY.has(name)
      ? invalid(`Attributes Reason: ${name} can only be set on FIFO topics`)
      : invalid(`AttributeName Reason: unknown attribute ${name.slice(0, 64)}`);
  }
  rule(value, name);
}

/** The attributes of a topic after one was set. An empty value takes it away. */
export function withAttribute(before: Pairs, name: string, value: string): Pairs {
  const next = new Map(before);
  if (value === "") next.delete(name);
  else next.set(name, value);
  return [...next];
}

/** What a topic's attributes are where nobody set them. */
export function topicDefaults(topic: Pick<TopicRecord, "account" | "region" | "name">, fifo: boolean): Pairs {
  return [
    ["Policy", defaultPolicy(topic)],
    ["DisplayName", ""],
    ...(fifo ? ([["ContentBasedDeduplication", "false"]] as const) : []),
  ];
}

/** All that a topic tells of itself, besides how many subscribe. */
export function topicAttributes(topic: TopicRecord, fifo: boolean): ReadonlyMap<string, string> {
  const set = new Map([...topicDefaults(topic, fifo), ...topic.attributes]);
  return new Map([
    ...set,
    ["TopicArn", topicArn(topic, topic.name)],
    ["Owner", topic.account],
    ["EffectiveDeliveryPolicy", effectiveDeliveryPolicy(set.get("DeliveryPolicy"))],
    ...(fifo ? ([["FifoTopic", "true"]] as const) : []),
  ]);
}

function checkPolicy(value: string): void {
  if (!isJsonObject(value)) throw invalid("Policy Error: null");
  const { Statement } = JSON.parse(value) as { readonly Statement?: unknown };
  const statements: readonly unknown[] = Array.isArray(Statement) ? Statement : [Statement];
  if (statements.length === 0 || statements.some((each) => typeof each !== "object" || each === null)) {
    throw invalid("Policy Error: Policy must have statements");
  }
}

function defaultPolicy(topic: Pick<TopicRecord, "account" | "region" | "name">): string {
  const allowed =
    "GetTopicAttributes SetTopicAttributes AddPermission RemovePermission DeleteTopic Subscribe ListSubscriptionsByTopic Publish";
  return JSON.stringify({
    Version: "2008-10-17",
    Id: "__default_policy_ID",
    Statement: [
      {
        Sid: "__default_statement_ID",
        Effect: "Allow",
        Principal: { AWS: "*" },
        Action: allowed.split(" ").map((name) => `SNS:${name}`),
        Resource: topicArn(topic, topic.name),
        Condition: { StringEquals: { "AWS:SourceOwner": topic.account } },
      },
    ],
  });
}
