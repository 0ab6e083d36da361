import { hash } from "node:crypto";
import type { Operations, Subscription } from "@gatewright/aws-wire/types/sns";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { subscriptionArn, topicArn } from "./arn.ts";
import { checkEndpoint, keptEndpoint } from "./endpoint-rules.ts";
import { pageOf } from "./page.ts";
import type { Pairs, SubscriptionRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { subscriptionKey, topicKey } from "./store.ts";
import type { SnsStore } from "./store.ts";
import {
  meantAttributes,
  subscriptionAttributes,
  toldEndpoint,
  withSubscriptionAttributes,
} from "./subscription-attributes.ts";

const MOST = 12_500_000;

/** Who wants what is published. */
export function subscriptionOperations(world: AwsWorld, store: SnsStore): Handlers<Operations> {
  const put = (subscription: SubscriptionRecord): Promise<void> =>
    store.commit((commit) => commit.put(store.subscriptions, subscriptionKey(subscription), subscription));
  return {
    Subscribe: async ({ TopicArn, Protocol: protocol, Endpoint: given = "", ...input }, context) => {
      const topic = store.topic(context, TopicArn, "Subscribe");
      const { pending } = checkEndpoint(topic.name, protocol, given);
      const endpoint = keptEndpoint(protocol, given);
      const attributes = withSubscriptionAttributes([], Object.entries(input.Attributes ?? {}), protocol);
      const there = store.subscriptionsOf(topic);
      const before = there.find((each) => each.protocol === protocol && each.endpoint === endpoint);
      if (before !== undefined) {
        if (!isSame(meantAttributes(attributes), meantAttributes(before.attributes))) {
          throw invalid("Attributes Reason: Subscription already exists with different attributes");
        }
        return { SubscriptionArn: told(before, input.ReturnSubscriptionArn) };
      }
      if (there.length >= MOST) {
        throw new AwsError("SubscriptionLimitExceeded", "Subscription limit exceeded", { status: 403 });
      }
      const { account, region, name } = topic;
      const subscription: SubscriptionRecord = {
        account,
        region,
        topic: name,
        id: uuid(world.random),
        protocol,
        endpoint,
        createdAt: world.clock.now(),
        pending,
        authenticated: !pending,
        principal: context.caller.arn,
        attributes,
      };
      await put(subscription);
      return { SubscriptionArn: told(subscription, input.ReturnSubscriptionArn) };
    },
    ConfirmSubscription: async ({ TopicArn, Token, AuthenticateOnUnsubscribe }, context) => {
      const topic = store.topic(context, TopicArn, "ConfirmSubscription");
      const found = store.subscriptionsOf(topic).find((each) => confirmationToken(each) === Token);
      if (found === undefined) throw invalid("Token");
      await put({ ...found, pending: false, authenticated: AuthenticateOnUnsubscribe === "true" });
      return { SubscriptionArn: subscriptionArn(found) };
    },
    Unsubscribe: async ({ SubscriptionArn }, context) => {
      const subscription = store.subscription(context, SubscriptionArn, "Unsubscribe");
      if (subscription.pending) {
        throw invalid("This subscription is pending confirmation and cannot be removed before it is confirmed");
      }
      const topic = store.topics.get(topicKey({ ...subscription, name: subscription.topic }));
      const { protocol, endpoint } = subscription;
      const asked = checkEndpoint(subscription.topic, protocol, endpoint).pending;
      await store.commit((commit) => {
        const key = subscriptionKey(subscription);
        if (asked) commit.put(store.subscriptions, key, { ...subscription, endedAt: world.clock.now() });
        else commit.delete(store.subscriptions, key);
        if (topic) commit.put(store.topics, topicKey(topic), { ...topic, unsubscribed: topic.unsubscribed + 1 });
      });
      return {};
    },
    GetSubscriptionAttributes: ({ SubscriptionArn }, context) => ({
      Attributes: Object.fromEntries(
        subscriptionAttributes(store.subscription(context, SubscriptionArn, "GetSubscriptionAttributes")),
      ),
    }),
    SetSubscriptionAttributes: async ({ SubscriptionArn, AttributeName, AttributeValue: value }, context) => {
      const subscription = store.subscription(context, SubscriptionArn, "SetSubscriptionAttributes");
      // It is taken away by saying no value, and not by an empty one.
      if (AttributeName === "RedrivePolicy" && value === "") throw invalid("RedrivePolicy: invalid JSON");
      const { attributes, protocol } = subscription;
      const set = [[AttributeName, value ?? ""]] as const;
      await put({ ...subscription, attributes: withSubscriptionAttributes(attributes, set, protocol) });
      return {};
    },
    ListSubscriptions: ({ NextToken }, context) => page(store.listed(context), NextToken),
    ListSubscriptionsByTopic: ({ TopicArn, NextToken }, context) =>
      page(store.listed(store.topic(context, TopicArn, "ListSubscriptionsByTopic")), NextToken),
  };
}

/** What confirms a subscription. Nothing is sent to endpoints here, so it can be worked out from the ARN: its SHA-256, in hex. */
function confirmationToken(subscription: SubscriptionRecord): string {
  return hash("sha256", subscriptionArn(subscription), "hex");
}

function told(subscription: SubscriptionRecord, wanted: boolean | undefined): string {
  return subscription.pending && wanted !== true ? "pending confirmation" : subscriptionArn(subscription);
}

function page(
  subscriptions: readonly SubscriptionRecord[],
  token: string | undefined,
): { readonly Subscriptions: readonly Subscription[]; readonly NextToken?: string } {
  const { items, ...more } = pageOf(subscriptions, subscriptionKey, token);
  return {
    Subscriptions: items.map((each) => ({
      SubscriptionArn: listedArn(each),
      Owner: each.account,
      Protocol: each.protocol,
      Endpoint: toldEndpoint(each.endpoint),
      TopicArn: topicArn(each, each.topic),
    })),
    ...more,
  };
}

function listedArn(subscription: SubscriptionRecord): string {
  if (subscription.endedAt !== undefined) return "Deleted";
  return subscription.pending ? "PendingConfirmation" : subscriptionArn(subscription);
}

function isSame(one: Pairs, other: Pairs): boolean {
  const values = new Map(other);
  return one.length === other.length && one.every(([name, value]) => values.get(name) === value);
}
