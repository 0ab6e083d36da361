import { isJsonObject } from "../is-json-object.ts";
import { subscriptionArn, topicArn } from "./arn.ts";
import { checkDeliveryPolicy } from "./delivery-policy.ts";
import { checkFilterPolicy } from "./filter-policy.ts";
import type { Pairs, SubscriptionRecord } from "./records.ts";
import { invalid } from "./refusals.ts";

const SCOPES = ["MessageAttributes", "MessageBody"];
const ON_AND_OFF = ["true", "false"];
const RAW = new Set(["sqs", "http", "https", "firehose"]);
/** Set to nothing, or to an object with nothing in it, these are taken away. */
const CLEARED = new Set(["FilterPolicy", "DeliveryPolicy"]);

/** The attributes of a subscription after some were set, checked together. */
export function withSubscriptionAttributes(
  before: Pairs,
  set: Iterable<readonly [name: string, value: string]>,
  protocol: string,
): Pairs {
  const next = new Map(before);
  for (const [name, value] of set) {
    if (value === "" || (CLEARED.has(name) && value.replaceAll(/\s/g, "") === "{}")) {
      checkName(name);
      next.delete(name);
    } else next.set(name, value);
  }
  for (const [name, value] of next) check(name, value, next, protocol);
  if (next.has("FilterPolicy") && !next.has("FilterPolicyScope")) next.set("FilterPolicyScope", "MessageAttributes");
  return [...next];
}

/** An endpoint without the password that a URL may have. */
export function toldEndpoint(endpoint: string): string {
  const [, before, after] = /^(https?:\/\/[^/?#:]*:)[^/?#]*(@.*)$/.exec(endpoint) ?? [];
  return before === undefined ? endpoint : `${before}****${after}`;
}

/** What of the attributes means something: a scope does with a filter only. */
export function meantAttributes(attributes: Pairs): Pairs {
  const filtered = attributes.some(([name]) => name === "FilterPolicy");
  return filtered ? attributes : attributes.filter(([name]) => name !== "FilterPolicyScope");
}

/** All that a subscription tells of itself. */
export function subscriptionAttributes(subscription: SubscriptionRecord): ReadonlyMap<string, string> {
  const { account, protocol, endpoint, pending, authenticated, principal, attributes } = subscription;
  return new Map([
    ["RawMessageDelivery", "false"],
    ...meantAttributes(attributes),
    ["SubscriptionArn", subscriptionArn(subscription)],
    ["TopicArn", topicArn(subscription, subscription.topic)],
    ["Owner", account],
    ["Protocol", protocol],
    ["Endpoint", toldEndpoint(endpoint)],
    ["PendingConfirmation", String(pending)],
    ["ConfirmationWasAuthenticated", String(authenticated)],
    ["SubscriptionPrincipal", principal],
  ]);
}

function check(name: string, value: string, all: ReadonlyMap<string, string>, protocol: string): void {
  checkName(name);
  switch (name) {
    case "RawMessageDelivery":
      if (!ON_AND_OFF.includes(value)) throw invalid("Attributes Reason: RawMessageDelivery: Invalid value");
      if (value === "true" && !RAW.has(protocol)) {
        throw invalid(
          `Attributes Reason: RawMessageDelivery: Delivery protocol [${protocol}] does not support raw message delivery.`,
        );
      }
      break;
    case "FilterPolicy":
      checkFilterPolicy(value, all.get("FilterPolicyScope") === "MessageBody");
      break;
    case "FilterPolicyScope":
      if (!SCOPES.includes(value)) throw invalid(`FilterPolicyScope: Invalid value [${value.slice(0, 64)}]`);
      break;
    case "DeliveryPolicy":
      checkDeliveryPolicy(value);
      break;
    case "RedrivePolicy":
      if (deadLetterTarget(value) === undefined) throw invalid("RedrivePolicy: deadLetterTargetArn is an invalid arn");
      break;
    default:
  }
}

/** The queue that messages go to that could not be delivered, as the policy says. */
export function deadLetterTarget(redrivePolicy: string): string | undefined {
  if (!isJsonObject(redrivePolicy)) return undefined;
  const { deadLetterTargetArn: target } = JSON.parse(redrivePolicy) as { readonly deadLetterTargetArn?: unknown };
  return typeof target === "string" && /^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]+$/.test(target)
    ? target
    : undefined;
}

const NAMES = new Set([
  "DeliveryPolicy",
  "FilterPolicy",
  "FilterPolicyScope",
  "RawMessageDelivery",
  "RedrivePolicy",
  "SubscriptionRoleArn",
]);

function checkName(name: string): void {
  if (!NAMES.has(name)) throw invalid(`AttributeName Reason: unknown attribute ${name.slice(0, 64)}`);
}
