import { uuid } from "@gatewright/ports";
import type { Commit } from "../state/state.ts";
import type { Ground } from "./ground.ts";
import { pickMessages } from "./pick-messages.ts";
import { isFifoName, readArn } from "./queue-names.ts";
import type { MessageRecord, QueueRecord } from "./records.ts";
import { isOver } from "./sweep.ts";

/** What became of a queue's messages. */
export interface Moved {
  /** How many could be had: those that somebody has received, or that are behind one in their group, stay. */
  readonly found: number;
  /** Where each one went. */
  readonly moved: readonly QueueRecord[];
  /** Why it ended before all were moved. */
  readonly failure?: string;
}

/** Moves the messages of a dead-letter queue, in their order, to one queue or back to the queues that they came from. */
export function moveMessages(
  { world, store }: Ground,
  commit: Commit,
  source: QueueRecord,
  destination: QueueRecord | undefined,
): Moved {
  const now = world.clock.now();
  const { messages } = pickMessages(store.messagesOf(source), {
    now,
    most: Infinity,
    fifo: isFifoName(source.name),
    deadAfter: undefined,
    isOver: (message) => isOver(source, message, now),
  });
  const moved: QueueRecord[] = [];
  for (const message of messages) {
    const from = message.source === undefined ? undefined : readArn(message.source);
    const target = destination ?? (from && store.find(from, from.name));
    if (target === undefined) {
      const failure = from === undefined ? "CouldNotDetermineMessageSource" : "AWS.SimpleQueueService.NonExistentQueue";
      return { found: messages.length, moved, failure };
    }
    store.remove(commit, source, message);
    store.add(commit, target, anew(message, { id: uuid(world.random), sequence: store.nextSequence(target), now }));
    moved.push(target);
  }
  return { found: messages.length, moved };
}

/** To the queue that gets it a message is a new one: nobody has received it, and it is kept from now on. */
function anew(message: MessageRecord, given: { readonly id: string; readonly sequence: string; readonly now: number }) {
  const { body, bodyMd5, attributes, trace, sender, group, deduplication } = message;
  const { id, sequence, now } = given;
  return {
    id,
    sequence,
    body,
    bodyMd5,
    attributes,
    sender,
    sentAt: now,
    hiddenUntil: now,
    receives: 0,
    ...(trace !== undefined && { trace }),
    ...(group !== undefined && { group }),
    ...(deduplication !== undefined && { deduplication }),
  };
}
