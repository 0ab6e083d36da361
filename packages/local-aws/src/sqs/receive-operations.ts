import type { Message, Operations, ReceiveMessageRequest } from "@gatewright/aws-wire/types/sqs";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { attributeValue, chosenAttributes } from "./message-attributes.ts";
import { attributesMd5 } from "./message-md5.ts";
import { pickMessages } from "./pick-messages.ts";
import type { Picked } from "./pick-messages.ts";
import { isFifoName, queueArn, readArn } from "./queue-names.ts";
import { receiptHandle } from "./receipt-handle.ts";
import type { MessageRecord, QueueRecord } from "./records.ts";
import { readRedrivePolicy } from "./redrive.ts";
import { checkRange } from "./refusals.ts";
import { numberOf, textOf } from "./setting.ts";
import { messageKey, queueKey } from "./store.ts";
import { isOver } from "./sweep.ts";

const MOST_IN_FLIGHT = 120_000;

/** Receiving: at once, or waiting until there is something. */
export function receiveOperations(ground: Ground): Handlers<Operations> {
  const { world, store, waiters } = ground;
  const receive = async (input: ReceiveMessageRequest, context: CallContext): Promise<readonly Message[]> => {
    const queue = store.queue(context, input.QueueUrl);
    const wait = input.WaitTimeSeconds ?? numberOf(queue, "ReceiveMessageWaitTimeSeconds");
    const end = world.clock.monotonic() + wait * 1_000;
    for (;;) {
      // The queue may have changed, or be gone, after a wait.
      const current = store.queue(context, input.QueueUrl);
      const since = waiters.wakes;
      const { messages, nextDue } = await take(ground, current, input);
      const left = end - world.clock.monotonic();
      if (messages.length > 0 || left <= 0 || context.signal.aborted || waiters.stopped) {
        return messages.map((message) => told(current, message, input));
      }
      const due = nextDue === undefined ? left : Math.max(nextDue - world.clock.now(), 1);
      await waiters.wait(queueKey(queue), { since, ms: Math.min(left, due) }, context.signal);
    }
  };
  return {
    ReceiveMessage: async (input, context) => {
      checkRange("MaxNumberOfMessages", input.MaxNumberOfMessages, 1, 10);
      checkRange("WaitTimeSeconds", input.WaitTimeSeconds, 0, 20);
      checkRange("VisibilityTimeout", input.VisibilityTimeout, 0, 43_200);
      const messages = await receive(input, context);
      return messages.length === 0 ? {} : { Messages: messages };
    },
  };
}

/** Takes what can be had: hides it from others for a while, and moves what is dead. */
async function take(
  ground: Ground,
  queue: QueueRecord,
  input: ReceiveMessageRequest,
): Promise<Pick<Picked, "messages" | "nextDue">> {
  const { world, store, waiters } = ground;
  const now = world.clock.now();
  const policy = textOf(queue, "RedrivePolicy");
  const redrive = policy === undefined ? undefined : readRedrivePolicy(policy);
  const target = redrive && targetOf(ground, queue, redrive.target);
  const picked = pickMessages(store.messagesOf(queue), {
    now,
    most: input.MaxNumberOfMessages ?? 1,
    fifo: isFifoName(queue.name),
    deadAfter: target && redrive?.most,
    isOver: (message) => isOver(queue, message, now),
  });
  if (picked.inFlight >= MOST_IN_FLIGHT && !isFifoName(queue.name)) {
    throw new AwsError("OverLimit", "Too many messages in flight.", { status: 403 });
  }
  const { dead, over, nextDue } = picked;
  const hiddenUntil = now + (input.VisibilityTimeout ?? numberOf(queue, "VisibilityTimeout")) * 1_000;
  const messages = picked.messages.map((message) => ({
    ...message,
    hiddenUntil,
    receives: message.receives + 1,
    firstReceivedAt: message.firstReceivedAt ?? now,
    receivedAt: now,
    receipt: uuid(world.random),
  }));
  if (messages.length + dead.length + over.length === 0) return { messages, nextDue };
  await store.commit((commit) => {
    for (const message of messages) commit.put(store.messages, messageKey(queue, message), message);
    for (const message of [...over, ...dead]) store.remove(commit, queue, message);
    if (target) for (const message of dead) store.add(commit, target, moved(ground, queue, target, message));
  });
  if (target && dead.length > 0) waiters.wake(queueKey(target));
  return { messages, nextDue };
}

function targetOf({ store }: Ground, queue: QueueRecord, arn: string): QueueRecord | undefined {
  const named = readArn(arn);
  return named && store.find(queue, named.name);
}

function moved({ world, store }: Ground, from: QueueRecord, to: QueueRecord, message: MessageRecord): MessageRecord {
  const { receipt: _receipt, receivedAt: _receivedAt, ...rest } = message;
  return {
    ...rest,
    sequence: store.nextSequence(to),
    hiddenUntil: world.clock.now(),
    source: queueArn(from, from.name),
  };
}

function told(queue: QueueRecord, message: MessageRecord, input: ReceiveMessageRequest): Message {
  const wanted = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
  const system = systemAttributes(queue, message).filter(([name]) => wanted.includes("All") || wanted.includes(name));
  const chosen = chosenAttributes(message.attributes, input.MessageAttributeNames ?? []);
  return {
    MessageId: message.id,
    ReceiptHandle: receiptHandle(queue, { sequence: message.sequence, receipt: message.receipt ?? "" }),
    MD5OfBody: message.bodyMd5,
    Body: message.body,
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
    ...(chosen.length > 0 && {
      MD5OfMessageAttributes: attributesMd5(chosen),
      MessageAttributes: Object.fromEntries(chosen.map((each) => [each.name, attributeValue(each)])),
    }),
  };
}

function systemAttributes(queue: QueueRecord, message: MessageRecord): readonly (readonly [string, string])[] {
  const { sender, sentAt, receives, firstReceivedAt, group, deduplication, trace, source, sequence } = message;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["SenderId", sender],
    ["SentTimestamp", String(sentAt)],
    ["ApproximateReceiveCount", String(receives)],
    ["ApproximateFirstReceiveTimestamp", firstReceivedAt === undefined ? undefined : String(firstReceivedAt)],
    ["SequenceNumber", isFifoName(queue.name) ? sequence : undefined],
    ["MessageDeduplicationId", deduplication],
    ["MessageGroupId", group],
    ["AWSTraceHeader", trace],
    ["DeadLetterQueueSourceArn", source],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
