import type { Operations } from "@gatewright/aws-wire/types/sqs";
import type { Handlers } from "../service.ts";
import type { Commit } from "../state/state.ts";
import { checkBatch, eachEntry } from "./batch.ts";
import type { Ground } from "./ground.ts";
import { isInFlight } from "./pick-messages.ts";
import { isFifoName } from "./queue-names.ts";
import { readHandle } from "./receipt-handle.ts";
import type { QueueRecord } from "./records.ts";
import { invalidParameter, sqsError } from "./refusals.ts";
import { messageKey, queueKey } from "./store.ts";

const LONGEST_SECONDS = 43_200;

/** A change that was decided on, to be made with others. */
type Change = (commit: Commit) => void;

/** What is done with messages that were received. */
export function handleOperations({ world, store, waiters }: Ground): Handlers<Operations> {
  const messageOf = (queue: QueueRecord, handle: string) => {
    const { sequence, receipt } = readHandle(queue, handle);
    const message = store.messages.get(`${queueKey(queue)}|${sequence}`);
    return { message, current: message?.receipt === receipt };
  };
  const deletion = (queue: QueueRecord, handle: string): Change => {
    const { message, current } = messageOf(queue, handle);
    if (message === undefined) return () => undefined;
    if (isFifoName(queue.name) && !(current && isInFlight(message, world.clock.now()))) {
      throw invalidParameter(
        `Value ${handle.slice(0, 128)} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`,
      );
    }
    return (commit) => store.remove(commit, queue, message);
  };
  const hiding = (queue: QueueRecord, handle: string, seconds: number): Change => {
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_SECONDS) {
      throw invalidParameter(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and ${LONGEST_SECONDS}.`,
      );
    }
    const { message, current } = messageOf(queue, handle);
    const now = world.clock.now();
    if (message === undefined || !current) {
      throw invalidParameter(
        `Value ${handle.slice(0, 128)} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
      );
    }
    if (!isInFlight(message, now)) throw sqsError("MessageNotInflight", "The message referred to is not in flight.");
    if (now + seconds * 1_000 > (message.receivedAt ?? now) + LONGEST_SECONDS * 1_000) {
      throw invalidParameter(
        `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [${LONGEST_SECONDS} seconds].`,
      );
    }
    const changed = { ...message, hiddenUntil: now + seconds * 1_000 };
    return (commit) => commit.put(store.messages, messageKey(queue, message), changed);
  };
  const make = async (queue: QueueRecord, changes: readonly Change[]): Promise<void> => {
    const committed = store.commit((commit) => {
      for (const change of changes) change(commit);
    });
    // Who waits may have it now, or the next of its group.
    waiters.wake(queueKey(queue));
    await committed;
  };
  return {
    DeleteMessage: async ({ QueueUrl, ReceiptHandle }, context) => {
      const queue = store.queue(context, QueueUrl);
      await make(queue, [deletion(queue, ReceiptHandle)]);
      return {};
    },
    DeleteMessageBatch: async ({ QueueUrl, Entries }, context) => {
      const queue = store.queue(context, QueueUrl);
      checkBatch(Entries, "DeleteMessageBatchRequestEntry");
      const distinct = new Set<string>();
      const { done, Failed } = eachEntry(Entries, ({ Id, ReceiptHandle }) => {
        const { sequence } = readHandle(queue, ReceiptHandle);
        const change = distinct.has(sequence) ? () => undefined : deletion(queue, ReceiptHandle);
        distinct.add(sequence);
        return { Id, change };
      });
      await make(
        queue,
        done.map(({ change }) => change),
      );
      return { Successful: done.map(({ Id }) => ({ Id })), Failed };
    },
    ChangeMessageVisibility: async ({ QueueUrl, ReceiptHandle, VisibilityTimeout }, context) => {
      const queue = store.queue(context, QueueUrl);
      await make(queue, [hiding(queue, ReceiptHandle, VisibilityTimeout)]);
      return {};
    },
    ChangeMessageVisibilityBatch: async ({ QueueUrl, Entries }, context) => {
      const queue = store.queue(context, QueueUrl);
      checkBatch(Entries, "ChangeMessageVisibilityBatchRequestEntry");
      const { done, Failed } = eachEntry(Entries, ({ Id, ReceiptHandle, VisibilityTimeout = 0 }) => ({
        Id,
        change: hiding(queue, ReceiptHandle, VisibilityTimeout),
      }));
      await make(
        queue,
        done.map(({ change }) => change),
      );
      return { Successful: done.map(({ Id }) => ({ Id })), Failed };
    },
  };
}
