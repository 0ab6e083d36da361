import type { Immutable, Json } from "@gatewright/kube";
import type { SNSTopic } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import { samePolicy } from "../same-policy.ts";
import { sameDelivery } from "./documents.ts";
import { subscriptionsField } from "./subscriptions.ts";
import { attributeOf, defaultPolicy, isFifo } from "./topic.ts";
import type { Topic } from "./topic.ts";

type Spec = Immutable<SNSTopic["spec"]>;
type TopicField = Field<Spec, Topic> & {
  /** What SNS calls it. Missing: it is not set as an attribute. */
  readonly attribute?: string;
};

/** A text that SNS has under another name; `unset` is what a new topic has. */
function text(path: keyof Spec, attribute: string, unset: string | null, more: Partial<TopicField> = {}): TopicField {
  return {
    path,
    change: "in-place",
    want: (spec) => spec[path] as string | undefined,
    have: (topic) => attributeOf(topic, attribute) ?? unset ?? undefined,
    unset,
    attribute,
    ...more,
  };
}

/** What only FIFO topics have. SNS does not know it of others, whatever it is set to. */
const onlyFifo = (path: "contentBasedDeduplication" | "fifoThroughputScope"): Partial<TopicField> => ({
  want: (spec) => (isFifo(spec.topicName) ? spec[path] : undefined),
});

/** The policy of a new topic counts as none, unless somebody declares just that one. */
const policy: TopicField = text("policy", "Policy", null, {
  have: (topic) => {
    const has = attributeOf(topic, "Policy");
    return has === undefined || samePolicy(defaultPolicy(topic.arn), has) ? undefined : has;
  },
  same: (want, _have, topic) => samePolicy(String(want), attributeOf(topic, "Policy") ?? defaultPolicy(topic.arn)),
});

/** The fields of a topic. What is reset goes to what AWS gives a new topic. */
export const TOPIC_FIELDS: readonly TopicField[] = [
  { path: "topicName", change: "replace", want: ({ topicName }) => topicName, have: ({ name }) => name },
  {
    path: "fifoTopic",
    change: "replace",
    want: ({ fifoTopic }) => fifoTopic,
    have: (topic) => attributeOf(topic, "FifoTopic") === "true",
  },
  text("contentBasedDeduplication", "ContentBasedDeduplication", null, {
    ...onlyFifo("contentBasedDeduplication"),
    have: (topic) => attributeOf(topic, "ContentBasedDeduplication") === "true",
    unset: false,
  }),
  text("fifoThroughputScope", "FifoThroughputScope", "Topic", onlyFifo("fifoThroughputScope")),
  text("displayName", "DisplayName", "", { have: (topic) => attributeOf(topic, "DisplayName") ?? "" }),
  text("kmsMasterKeyId", "KmsMasterKeyId", null),
  policy,
  text("deliveryPolicy", "DeliveryPolicy", null, {
    same: (want, have) => sameDelivery(String(want), have === undefined ? undefined : String(have)),
  }),
  text("signatureVersion", "SignatureVersion", "1"),
  text("tracingConfig", "TracingConfig", "PassThrough"),
  subscriptionsField,
];

/** Values of fields as the attributes that SNS takes, one call each. A policy is never taken away: the first one is put back. */
export function attributesOf(
  values: ReadonlyMap<string, Json | undefined>,
  arn: string,
): readonly (readonly [name: string, value: string])[] {
  return TOPIC_FIELDS.flatMap(({ path, attribute }) => {
    if (attribute === undefined || !values.has(path)) return [];
    const value = values.get(path);
    return [
      [attribute, value === undefined ? (attribute === "Policy" ? defaultPolicy(arn) : "") : String(value)] as const,
    ];
  });
}
