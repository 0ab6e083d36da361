import type { Commit } from "../state/state.ts";
import type { QueueRecord } from "./records.ts";
import { numberOf } from "./setting.ts";
import type { SqsStore } from "./store.ts";

/** A message with the same deduplication id is not taken again for so long. */
export const DEDUPLICATION_WINDOW = 5 * 60_000;
/** Longer than the name of a queue rests. */
const REMEMBERED_QUEUE = 3_600_000;

/** Removes messages that were kept for as long as their queue keeps them. */
export async function sweepMessages(store: SqsStore, now: number): Promise<void> {
  const over = overdue(store, now);
  if (over.length > 0) await store.commit((commit) => over.forEach((remove) => remove(commit)));
}

/** As the above; also forgets queues that are gone and what was sent before the window of deduplication. */
export async function sweep(store: SqsStore, now: number): Promise<void> {
  const over = overdue(store, now);
  const queues = store.queues
    .list()
    .filter(([, { deletedAt }]) => deletedAt !== undefined && now >= deletedAt + REMEMBERED_QUEUE);
  const sent = store.sent.list().filter(([, { at }]) => now >= at + DEDUPLICATION_WINDOW);
  if (over.length + queues.length + sent.length === 0) return;
  await store.commit((commit) => {
    for (const remove of over) remove(commit);
    for (const [key] of queues) commit.delete(store.queues, key);
    for (const [key] of sent) commit.delete(store.sent, key);
  });
}

/** Whether a message has been there for longer than its queue keeps messages. */
export function isOver(queue: QueueRecord, { sentAt }: { readonly sentAt: number }, now: number): boolean {
  return now >= sentAt + numberOf(queue, "MessageRetentionPeriod") * 1_000;
}

function overdue(store: SqsStore, now: number): readonly ((commit: Commit) => void)[] {
  const found: ((commit: Commit) => void)[] = [];
  for (const [, queue] of store.queues.list()) {
    for (const [, message] of store.messagesOf(queue)) {
      if (isOver(queue, message, now)) found.push((commit) => store.remove(commit, queue, message));
    }
  }
  return found;
}
