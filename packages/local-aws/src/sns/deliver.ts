import type { MessageAttributeValue } from "@gatewright/aws-wire/types/sns";
import { isJsonObject } from "../is-json-object.ts";
import type { QueueInlets, QueueMessage } from "../neighbours.ts";
import { topicArn } from "./arn.ts";
import { envelope } from "./envelope.ts";
import type { Notification } from "./envelope.ts";
import { passesFilter, valuesInBody } from "./filter-policy.ts";
import type { SubscriptionRecord } from "./records.ts";
import { deadLetterTarget } from "./subscription-attributes.ts";

/** What a message in a FIFO topic is ordered and known by. */
export interface FifoWords {
  readonly group: string;
  readonly deduplication: string;
  /** Within which the deduplication id is unique. */
  readonly scope: string;
}

/** Raw messages with more attributes than a queue takes are not delivered. */
const MOST_RAW_ATTRIBUTES = 10;

/**
 * Brings a message to one who subscribes, if it wants it. Only queues are reached; what cannot be delivered goes to the
 * subscription's dead-letter queue, and without one nowhere.
 */
export async function deliver(
  queues: QueueInlets | undefined,
  subscription: SubscriptionRecord,
  notification: Notification,
  fifo: FifoWords | undefined,
): Promise<void> {
  const settings = new Map(subscription.attributes);
  if (queues === undefined || subscription.protocol !== "sqs" || subscription.pending) return;
  const filter = settings.get("FilterPolicy");
  if (filter !== undefined && !isWanted(filter, settings.get("FilterPolicyScope"), notification)) return;
  const raw = settings.get("RawMessageDelivery") === "true";
  const message: QueueMessage = {
    body: raw ? notification.message : envelope(notification, subscription),
    ...(raw && { attributes: notification.attributes }),
    ...(fifo && { group: fifo.group, deduplication: fifo.deduplication }),
  };
  const sender = {
    service: "sns.amazonaws.com",
    sourceArn: topicArn(subscription, subscription.topic),
    sourceAccount: subscription.account,
  };
  const fits = !raw || Object.keys(notification.attributes).length <= MOST_RAW_ATTRIBUTES;
  if (fits && (await queues.send(subscription.endpoint, message, sender)) === "sent") return;
  const target = deadLetterTarget(settings.get("RedrivePolicy") ?? "");
  if (target !== undefined) await queues.send(target, message, sender);
}

function isWanted(filter: string, scope: string | undefined, { message, attributes }: Notification): boolean {
  if (scope === "MessageBody") {
    if (!isJsonObject(message)) return false;
    const body: unknown = JSON.parse(message);
    return passesFilter(filter, (path) => valuesInBody(body, path));
  }
  return passesFilter(filter, ([name = ""]) => {
    const given = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return given === undefined ? undefined : attributeValues(given);
  });
}

/** What filters see of an attribute. */
function attributeValues({ DataType, StringValue = "" }: MessageAttributeValue): readonly unknown[] | undefined {
  if (DataType === "Number") return [Number(StringValue)];
  if (DataType === "String") return [StringValue];
  if (DataType !== "String.Array") return undefined;
  try {
    const values: unknown = JSON.parse(StringValue);
    return Array.isArray(values) ? values : undefined;
  } catch {
    // An array that is none has no values.
    return undefined;
  }
}
