import type { CreateTopicInput, Operations } from "@gatewright/aws-wire/types/sns";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { isFifoName, readTopicArn, topicArn } from "./arn.ts";
import { pageOf } from "./page.ts";
import type { Pairs, Place, TopicRecord } from "./records.ts";
import { invalid, notAuthorized } from "./refusals.ts";
import { subscriptionKey, topicKey } from "./store.ts";
import type { SnsStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";
import { checkTopicAttribute, topicAttributes, topicDefaults, withAttribute } from "./topic-attributes.ts";

const NAME = /^[A-Za-z0-9_-]{1,256}$/;
const SUFFIX = ".fifo";
const MOST_STANDARD = 100_000;
const MOST_FIFO = 1_000;

/** Topics themselves. */
export function topicOperations(world: AwsWorld, store: SnsStore): Handlers<Operations> {
  return {
    CreateTopic: async (input, context) => ({ TopicArn: await createTopic(world, store, context, input) }),
    DeleteTopic: async ({ TopicArn }, context) => {
      const named = readTopicArn(TopicArn);
      if (named === undefined || named.region !== context.region) throw invalid("TopicArn");
      if (named.account !== context.account) throw notAuthorized(context.caller.arn, "DeleteTopic", TopicArn);
      const topic = store.topics.get(topicKey(named));
      if (topic === undefined) return {};
      await store.commit((commit) => {
        commit.delete(store.topics, topicKey(topic));
        for (const each of store.listed(topic)) commit.delete(store.subscriptions, subscriptionKey(each));
        for (const [key] of store.published.list(`${topicKey(topic)}|`)) commit.delete(store.published, key);
      });
      return {};
    },
    GetTopicAttributes: ({ TopicArn }, context) => {
      const topic = store.topic(context, TopicArn, "GetTopicAttributes");
      const subscriptions = store.subscriptionsOf(topic);
      const pending = subscriptions.filter((each) => each.pending).length;
      const counts: Pairs = [
        ["SubscriptionsPending", String(pending)],
        ["SubscriptionsConfirmed", String(subscriptions.length - pending)],
        ["SubscriptionsDeleted", String(topic.unsubscribed)],
      ];
      return { Attributes: Object.fromEntries([...topicAttributes(topic, isFifoName(topic.name)), ...counts]) };
    },
    SetTopicAttributes: async ({ TopicArn, AttributeName: name, AttributeValue: value = "" }, context) => {
      const topic = store.topic(context, TopicArn, "SetTopicAttributes");
      checkTopicAttribute(name, value, isFifoName(topic.name));
      const next = { ...topic, attributes: withAttribute(topic.attributes, name, value) };
      await store.commit((commit) => commit.put(store.topics, topicKey(topic), next));
      return {};
    },
    ListTopics: ({ NextToken }, context) => {
      const { items, ...more } = pageOf(store.topicsIn(context), ({ name }) => name, NextToken);
      return { Topics: items.map(({ name }) => ({ TopicArn: topicArn(context, name) })), ...more };
    },
  };
}

/** Makes a topic. One that is there already is given if it has what is asked for. */
async function createTopic(
  world: AwsWorld,
  store: SnsStore,
  { account, region }: Place,
  input: CreateTopicInput,
): Promise<string> {
  const { Name: name, Attributes: given = {}, Tags } = input;
  if (input.DataProtectionPolicy !== undefined) throw invalid("DataProtectionPolicy Reason: it is not served here");
  const asked = new Map(Object.entries(given));
  const fifo = checkName(name, asked.get("FifoTopic"));
  asked.delete("FifoTopic");
  for (const [attribute, value] of asked) checkTopicAttribute(attribute, value, fifo);
  const tags = withTags([], Tags ?? []);
  const before = store.topics.get(topicKey({ account, region, name }));
  if (before !== undefined) {
    checkSame(before, fifo, asked);
    if (Tags !== undefined && !isSame(tags, before.tags)) {
      throw invalid("Tags Reason: Topic already exists with different tags");
    }
    return topicArn(before, name);
  }
  const there = store.topicsIn({ account, region }).filter((each) => isFifoName(each.name) === fifo).length;
  if (there >= (fifo ? MOST_FIFO : MOST_STANDARD)) {
    throw new AwsError("TopicLimitExceeded", "Topic limit exceeded", { status: 403 });
  }
  const attributes = [...asked].filter(([, value]) => value !== "");
  const topic: TopicRecord = { account, region, name, createdAt: world.clock.now(), attributes, tags, unsubscribed: 0 };
  await store.commit((commit) => commit.put(store.topics, topicKey(topic), topic));
  return topicArn(topic, name);
}

/** Refuses names that no topic can have; tells whether it is to be a FIFO topic. */
function checkName(name: string, wanted: string | undefined): boolean {
  if (wanted !== undefined && wanted !== "true" && wanted !== "false") throw invalid("FifoTopic");
  const fifo = wanted === "true";
  const stem = isFifoName(name) ? name.slice(0, -SUFFIX.length) : name;
  if (NAME.test(stem) && name.length <= 256 && fifo === isFifoName(name)) return fifo;
  throw invalid(
    fifo
      ? "Fifo Topic names must end with .fifo and must be made up of only uppercase and lowercase ASCII letters, numbers, underscores, and hyphens, and must be between 1 and 256 characters long."
      : "Topic Name",
  );
}

function checkSame(topic: TopicRecord, fifo: boolean, asked: ReadonlyMap<string, string>): void {
  const has = new Map([...topicDefaults(topic, fifo), ...topic.attributes]);
  for (const [name, value] of asked) {
    if ((has.get(name) ?? "") === value) continue;
    throw invalid("Attributes Reason: Topic already exists with different attributes");
  }
}

function isSame(one: Pairs, other: Pairs): boolean {
  const values = new Map(other);
  return one.length === other.length && one.every(([key, value]) => values.get(key) === value);
}
