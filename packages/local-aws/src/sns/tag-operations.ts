import type { Operations } from "@gatewright/aws-wire/types/sns";
import type { TaggedResources } from "../neighbours.ts";
import type { CallContext, Handlers } from "../service.ts";
import { readTopicArn, topicArn } from "./arn.ts";
import type { Pairs, TopicRecord } from "./records.ts";
import { invalid, noResource } from "./refusals.ts";
import { topicKey } from "./store.ts";
import type { SnsStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

/** Tags of topics. */
export function tagOperations(store: SnsStore): Handlers<Operations> {
  const find = ({ account, region }: CallContext, arn: string): TopicRecord => {
    const named = readTopicArn(arn);
    if (named === undefined) throw invalid("ResourceArn");
    const found = named.account === account && named.region === region ? store.topics.get(topicKey(named)) : undefined;
    if (found === undefined) throw noResource();
    return found;
  };
  return {
    TagResource: async ({ ResourceArn, Tags }, context) => {
      const topic = find(context, ResourceArn);
      await put(store, topic, withTags(topic.tags, Tags));
      return {};
    },
    UntagResource: async ({ ResourceArn, TagKeys }, context) => {
      const topic = find(context, ResourceArn);
      await put(store, topic, without(topic, TagKeys));
      return {};
    },
    ListTagsForResource: ({ ResourceArn }, context) => ({
      Tags: find(context, ResourceArn).tags.map(([Key, Value]) => ({ Key, Value })),
    }),
  };
}

/** Topics for the tagging API. */
export function taggedTopics(store: SnsStore): TaggedResources {
  const change = async (arn: string, tagsOf: (topic: TopicRecord) => Pairs): Promise<boolean> => {
    const named = readTopicArn(arn);
    const topic = named && store.topics.get(topicKey(named));
    if (topic === undefined) return false;
    await put(store, topic, tagsOf(topic));
    return true;
  };
  return {
    *list(account, region) {
      for (const topic of store.topicsIn({ account, region })) {
        yield { arn: topicArn(topic, topic.name), tags: new Map(topic.tags) };
      }
    },
    tag: (arn, tags) =>
      change(arn, (topic) =>
        withTags(
          topic.tags,
          [...tags].map(([Key, Value]) => ({ Key, Value })),
        ),
      ),
    untag: (arn, keys) => change(arn, (topic) => without(topic, keys)),
  };
}

function without({ tags }: TopicRecord, keys: readonly string[]): Pairs {
  return tags.filter(([key]) => !keys.includes(key));
}

function put(store: SnsStore, topic: TopicRecord, tags: Pairs): Promise<void> {
  return store.commit((commit) => commit.put(store.topics, topicKey(topic), { ...topic, tags }));
}
