import { AnswerBound, AwsCallError, byNextToken, everyPage, isAbsent } from "@gatewright/aws";
import type { SNSTopic } from "@gatewright/resources";
import type { AwsKind, Change, Creation } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { attributesOf } from "./fields.ts";
import { wishesOf, workOn } from "./subscriptions.ts";
import type { Wish } from "./subscriptions.ts";
import { isFifo } from "./topic.ts";
import type { Subscription, Topic } from "./topic.ts";

/** Reads a topic; its subscriptions where somebody declared some, which costs a call for each. */
export async function readTopic(
  ground: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<Topic | "absent"> {
  const { aws, signal } = ground;
  const arn = arnOf(ground, name);
  try {
    const { Attributes: attributes = {} } = await aws.sns.getTopicAttributes({ TopicArn: arn }, { signal });
    const { Tags: tags = [] } = await aws.sns.listTagsForResource({ ResourceArn: arn }, { signal });
    return {
      name,
      arn,
      attributes,
      tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
      subscriptions: declared.has("subscriptions") ? await readSubscriptions(ground, arn) : undefined,
    };
  } catch (error) {
    if (isAbsent(error)) return "absent";
    throw error;
  }
}

async function readSubscriptions({ aws, signal }: Ground, TopicArn: string): Promise<readonly Subscription[]> {
  const found: Subscription[] = [];
  const bound = new AnswerBound();
  const listing = byNextToken(aws.sns.listSubscriptionsByTopic);
  for await (const page of everyPage(listing, { TopicArn }, { signal, bound })) {
    for (const { SubscriptionArn = "", Protocol: protocol = "", Endpoint: endpoint = "" } of page.Subscriptions ?? []) {
      // Listed for up to three days after it ended.
      if (SubscriptionArn === "Deleted") continue;
      // Until it is confirmed there is a word in place of the ARN.
      const arn = SubscriptionArn.startsWith("arn:") ? SubscriptionArn : undefined;
      const attributes = arn === undefined ? {} : await readAttributes({ aws, signal }, arn, bound);
      if (attributes !== undefined) found.push({ protocol, endpoint, arn, attributes });
    }
  }
  return found;
}

/** Undefined for a subscription that ended since it was listed. */
async function readAttributes(
  { aws, signal }: Pick<Ground, "aws" | "signal">,
  SubscriptionArn: string,
  bound: AnswerBound,
): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    const told = await aws.sns.getSubscriptionAttributes({ SubscriptionArn }, { signal });
    bound.took(told);
    return told.Attributes ?? {};
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Makes a topic, with its tags; subscriptions follow as a change. SNS gives one that is there already when it has what is asked for,
 * and refuses when it has not: in both cases the read that follows says whose it is.
 */
export async function createTopic(ground: Ground, { object, wanted, tags }: Creation<SNSTopic>): Promise<string> {
  const { aws, signal } = ground;
  const { topicName: Name } = object.spec;
  const attributes = attributesOf(wanted, arnOf(ground, Name)).filter(([, value]) => value !== "");
  const Attributes = { ...Object.fromEntries(attributes), ...(isFifo(Name) && { FifoTopic: "true" }) };
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  try {
    await aws.sns.createTopic({ Name, Attributes, Tags }, { signal });
  } catch (error) {
    const there =
      error instanceof AwsCallError && error.code === "InvalidParameter" && /already exists/.test(error.said);
    if (!there) throw error;
  }
  return Name;
}

/** Writes what differs, attribute by attribute; whoever is to be subscribed before others are let go. */
export async function changeTopic(ground: Ground, topic: Topic, change: Change<SNSTopic>): Promise<void> {
  const { object, given, fields } = change;
  const { aws, signal } = ground;
  for (const [AttributeName, AttributeValue] of attributesOf(fields, topic.arn)) {
    await aws.sns.setTopicAttributes({ TopicArn: topic.arn, AttributeName, AttributeValue }, { signal });
  }
  if (!fields.has("subscriptions")) return;
  const { surplus, missing, other } = workOn(wishesOf(object.spec, given), topic.subscriptions ?? []);
  const wished = new Set<string | undefined>();
  for (const { protocol: Protocol, endpoint: Endpoint, attributes } of missing) {
    const request = { TopicArn: topic.arn, Protocol, Endpoint, Attributes: Object.fromEntries(attributes) };
    wished.add((await aws.sns.subscribe(request, { signal })).SubscriptionArn);
  }
  for (const { arn, wish, names } of other) await setAttributes(ground, arn, wish, names);
  for (const { arn: SubscriptionArn } of surplus) {
    // The same as one that was asked for, in a spelling that only SNS knows for the same.
    if (wished.has(SubscriptionArn)) continue;
    try {
      await aws.sns.unsubscribe({ SubscriptionArn }, { signal });
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
}

/** What takes an attribute away. A queue for what is not delivered goes by no value at all: SNS refuses an empty text for it. */
const NOTHING: ReadonlyMap<string, string> = new Map([
  ["RawMessageDelivery", "false"],
  ["FilterPolicy", "{}"],
  ["DeliveryPolicy", "{}"],
]);

async function setAttributes(
  { aws, signal }: Ground,
  SubscriptionArn: string,
  wish: Wish,
  names: readonly string[],
): Promise<void> {
  const set = (AttributeName: string, AttributeValue: string | undefined) =>
    aws.sns.setSubscriptionAttributes({ SubscriptionArn, AttributeName, AttributeValue }, { signal });
  // The filter that is there need not fit the new scope, nor the new filter the old one: messages that come between pass unfiltered.
  const rescoped = names.includes("FilterPolicyScope") && wish.attributes.has("FilterPolicy");
  if (rescoped) await set("FilterPolicy", "{}");
  for (const name of rescoped ? [...new Set([...names, "FilterPolicy"])] : names) {
    await set(name, wish.attributes.get(name) ?? NOTHING.get(name));
  }
}

export const tagTopic: AwsKind<SNSTopic, Topic>["tag"] = async (
  { aws, signal },
  { arn: ResourceArn },
  { set, remove },
) => {
  const Tags = Object.entries(set).map(([Key, Value]) => ({ Key, Value }));
  // First: both together may be more than there is room for.
  if (remove.length > 0) await aws.sns.untagResource({ ResourceArn, TagKeys: remove }, { signal });
  if (Tags.length > 0) await aws.sns.tagResource({ ResourceArn, Tags }, { signal });
};

/** Deletes a topic with its subscriptions. */
export async function removeTopic({ aws, signal }: Ground, { arn: TopicArn }: Topic): Promise<undefined> {
  try {
    await aws.sns.deleteTopic({ TopicArn }, { signal });
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

function arnOf({ partition, region, account }: Ground, name: string): string {
  return `arn:${partition}:sns:${region}:${account}:${name}`;
}
