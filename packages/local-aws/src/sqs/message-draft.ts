import { hash } from "node:crypto";
import type { SendMessageRequest } from "@gatewright/aws-wire/types/sqs";
import { AwsError } from "../aws-error.ts";
import { attributesSize, readAttributes } from "./message-attributes.ts";
import { bodyMd5 } from "./message-md5.ts";
import { isFifoName } from "./queue-names.ts";
import type { MessageRecord, QueueRecord } from "./records.ts";
import { invalidParameter, missingParameter } from "./refusals.ts";
import { numberOf, textOf } from "./setting.ts";

/** A message that may be sent, without what the queue gives it. */
export type Draft = Omit<MessageRecord, "id" | "sequence">;

/** What XML can carry; anything else would not arrive at clients of old. */
// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[^\x09\x0a\x0d\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const GROUP = /^[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;
const WRONG_TYPE = "The request include parameter that is not valid for this queue type";

/** Checks a message. Throws what SQS refuses. */
export function draftMessage(
  queue: QueueRecord,
  entry: Omit<SendMessageRequest, "QueueUrl">,
  sender: string,
  now: number,
): Draft {
  const { MessageBody: body, DelaySeconds, MessageGroupId: group, MessageDeduplicationId } = entry;
  if (body === "") throw missingParameter("MessageBody");
  if (UNSENDABLE.test(body)) {
    throw new AwsError("InvalidMessageContents", "The message contains characters outside the allowed set.");
  }
  const attributes = readAttributes(entry.MessageAttributes ?? {});
  const most = numberOf(queue, "MaximumMessageSize");
  if (Buffer.byteLength(body) + attributesSize(attributes) > most) {
    throw invalidParameter(`One or more parameters are invalid. Reason: Message must be shorter than ${most} bytes.`);
  }
  const fifo = isFifoName(queue.name);
  if (fifo && DelaySeconds !== undefined && DelaySeconds !== 0) {
    throw invalidParameter(`Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: ${WRONG_TYPE}.`);
  }
  if (DelaySeconds !== undefined && (DelaySeconds < 0 || DelaySeconds > 900)) {
    throw invalidParameter(
      `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`,
    );
  }
  if (fifo && group === undefined) throw missingParameter("MessageGroupId");
  if (!fifo && MessageDeduplicationId !== undefined) {
    throw invalidParameter(
      `Value ${MessageDeduplicationId.slice(0, 128)} for parameter MessageDeduplicationId is invalid. Reason: ${WRONG_TYPE}.`,
    );
  }
  checkId("MessageGroupId", group);
  checkId("MessageDeduplicationId", MessageDeduplicationId);
  const deduplication = fifo ? (MessageDeduplicationId ?? contentId(queue, body)) : undefined;
  const trace = entry.MessageSystemAttributes?.["AWSTraceHeader"]?.StringValue;
  const delay = fifo ? numberOf(queue, "DelaySeconds") : (DelaySeconds ?? numberOf(queue, "DelaySeconds"));
  return {
    body,
    bodyMd5: bodyMd5(body),
    attributes,
    sender,
    sentAt: now,
    hiddenUntil: now + delay * 1_000,
    receives: 0,
    ...(trace !== undefined && { trace }),
    ...(group !== undefined && { group }),
    ...(deduplication !== undefined && { deduplication }),
  };
}

function contentId(queue: QueueRecord, body: string): string {
  if (textOf(queue, "ContentBasedDeduplication") === "true") return hash("sha256", body, "hex");
  throw invalidParameter(
    "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
  );
}

function checkId(name: string, value: string | undefined): void {
  if (value === undefined || GROUP.test(value)) return;
  throw invalidParameter(
    `Value ${value.slice(0, 128)} for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  );
}
