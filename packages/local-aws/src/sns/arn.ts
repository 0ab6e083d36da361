import { partitionOf } from "../partition.ts";
import type { Place } from "./records.ts";

const TOPIC = /^arn:aws[a-z-]*:sns:([a-z0-9-]+):(\d{12}):([A-Za-z0-9_-]{1,256}(?:\.fifo)?)$/;
const SUBSCRIPTION = /^(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]{1,256}):([0-9a-f-]{36})$/;

/** Whether a name is one of a FIFO topic. */
export function isFifoName(name: string): boolean {
  return name.endsWith(".fifo");
}

export function topicArn({ account, region }: Place, name: string): string {
  return `arn:${partitionOf(region)}:sns:${region}:${account}:${name}`;
}

export function subscriptionArn(subscription: Place & { readonly topic: string; readonly id: string }): string {
  return `${topicArn(subscription, subscription.topic)}:${subscription.id}`;
}

/** Place and name of a topic's ARN; undefined when it is none. */
export function readTopicArn(arn: string): (Place & { readonly name: string }) | undefined {
  const [, region, account, name] = TOPIC.exec(arn) ?? [];
  return region === undefined || account === undefined || name === undefined ? undefined : { region, account, name };
}

/** Where a subscription is, and its id; undefined when the ARN is none of a subscription. */
export function readSubscriptionArn(
  arn: string,
): (Place & { readonly topic: string; readonly id: string }) | undefined {
  const [, ofTopic = "", id] = SUBSCRIPTION.exec(arn) ?? [];
  const topic = readTopicArn(ofTopic);
  return topic === undefined || id === undefined
    ? undefined
    : { account: topic.account, region: topic.region, topic: topic.name, id };
}
