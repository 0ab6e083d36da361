import type { s3 } from "@gatewright/aws";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Given, Reference } from "../../../engine/given.ts";
import type { BucketSpec, SectionOf } from "../bucket-spec.ts";
import { byId, compact, sorted } from "./compact.ts";

type Section = SectionOf<"notificationConfiguration">;

interface Told {
  readonly id?: string;
  readonly events: readonly string[];
  readonly filterPrefix?: string;
  readonly filterSuffix?: string;
}

interface Entry {
  readonly Id?: string | undefined;
  readonly Events: readonly string[];
  readonly Filter?: s3.NotificationConfigurationFilter | undefined;
}

const queuePath = (index: number): string => `notificationConfiguration.queues[${index}].queueRef`;
const topicPath = (index: number): string => `notificationConfiguration.topics[${index}].topicRef`;

/** Queues and topics that are told, by their objects. */
export function notificationReferences({ notificationConfiguration: section }: BucketSpec): readonly Reference[] {
  const queues = (section?.queues ?? []).flatMap(({ queueRef: ref }, index): Reference[] =>
    ref ? [{ to: "output", path: queuePath(index), kind: "SQSQueue", name: ref.name, output: "arn" }] : [],
  );
  const topics = (section?.topics ?? []).flatMap(({ topicRef: ref }, index): Reference[] =>
    ref ? [{ to: "output", path: topicPath(index), kind: "SNSTopic", name: ref.name, output: "arn" }] : [],
  );
  return [...queues, ...topics];
}

/** Who is told, as S3 takes it. Entries without an id are named by their place, so that they can be found again. */
export function notificationToAws(section: Section, given: Given): s3.NotificationConfiguration {
  return {
    ...(section.queues && {
      QueueConfigurations: section.queues.map((queue, index) => ({
        ...entryOf(queue, `queue-${index + 1}`),
        QueueArn: queue.queueARN ?? given.value(queuePath(index)) ?? "",
      })),
    }),
    ...(section.topics && {
      TopicConfigurations: section.topics.map((topic, index) => ({
        ...entryOf(topic, `topic-${index + 1}`),
        TopicArn: topic.topicARN ?? given.value(topicPath(index)) ?? "",
      })),
    }),
    ...(section.lambdaFunctions && {
      LambdaFunctionConfigurations: section.lambdaFunctions.map((lambda, index) => ({
        ...entryOf(lambda, `lambda-${index + 1}`),
        LambdaFunctionArn: lambda.functionARN,
      })),
    }),
    ...(section.eventBridge === true && { EventBridgeConfiguration: {} }),
  };
}

/** Who is told, as specs say it, in one order. */
export function notificationToSpec(all: s3.NotificationConfiguration): Json {
  return compact({
    queues: byId((all.QueueConfigurations ?? []).map((each) => toldOf(each, { queueARN: each.QueueArn }))),
    topics: byId((all.TopicConfigurations ?? []).map((each) => toldOf(each, { topicARN: each.TopicArn }))),
    lambdaFunctions: byId(
      (all.LambdaFunctionConfigurations ?? []).map((each) => toldOf(each, { functionARN: each.LambdaFunctionArn })),
    ),
    eventBridge: all.EventBridgeConfiguration === undefined ? undefined : true,
  });
}

function entryOf({ id, events, filterPrefix, filterSuffix }: Told, name: string): Entry {
  const rules = [
    ...(filterPrefix !== undefined && filterPrefix !== "" ? [{ Name: "prefix", Value: filterPrefix }] : []),
    ...(filterSuffix !== undefined && filterSuffix !== "" ? [{ Name: "suffix", Value: filterSuffix }] : []),
  ];
  return { Id: id ?? name, Events: events, ...(rules.length > 0 && { Filter: { Key: { FilterRules: rules } } }) };
}

/** S3 gives the names of filters back in capitals. */
function toldOf({ Id, Events, Filter }: Entry, target: JsonObject): JsonObject {
  const filter = (name: string): string | undefined =>
    Filter?.Key?.FilterRules?.find(({ Name }) => Name?.toLowerCase() === name)?.Value || undefined;
  return compact({
    id: Id,
    ...target,
    events: sorted(Events),
    filterPrefix: filter("prefix"),
    filterSuffix: filter("suffix"),
  });
}
