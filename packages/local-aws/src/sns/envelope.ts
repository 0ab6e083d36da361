import type { MessageAttributeValue } from "@gatewright/aws-wire/types/sns";
import { subscriptionArn, topicArn } from "./arn.ts";
import type { SubscriptionRecord } from "./records.ts";

/** A message on its way from a topic to those who subscribe. */
export interface Notification {
  readonly id: string;
  /** Of FIFO topics only. */
  readonly sequence: string | undefined;
  readonly subject: string | undefined;
  readonly message: string;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>>;
  readonly at: number;
}

/** The document that a receiver gets who did not ask for the bare message. It is not signed: there is no key of SNS here. */
export function envelope(notification: Notification, subscription: SubscriptionRecord): string {
  const { id, sequence, subject, message, attributes, at } = notification;
  const host = `https://sns.${subscription.region}.amazonaws.com`;
  const named = Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => {
    const value = StringValue ?? Buffer.from(BinaryValue ?? []).toString("base64");
    return [name, { Type: DataType, Value: value }] as const;
  });
  const document = {
    Type: "Notification",
    MessageId: id,
    ...(sequence !== undefined && { SequenceNumber: sequence }),
    TopicArn: topicArn(subscription, subscription.topic),
    ...(subject !== undefined && { Subject: subject }),
    Message: message,
    Timestamp: new Date(at).toISOString(),
    ...(sequence === undefined && {
      SignatureVersion: "1",
      Signature: Buffer.from("not signed").toString("base64"),
      SigningCertURL: `${host}/SimpleNotificationService-0000000000000000000000000000000a.pem`,
    }),
    UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${subscriptionArn(subscription)}`,
    ...(named.length > 0 && { MessageAttributes: Object.fromEntries(named) }),
  };
  return JSON.stringify(document, undefined, 2);
}
