import type { Operations } from "@gatewright/aws-wire/types/sqs";
import type { CallContext, Handlers } from "../service.ts";
import type { Commit } from "../state/state.ts";
import { createQueue, settable } from "./create-queue.ts";
import type { Ground } from "./ground.ts";
import { pageOfNames } from "./page.ts";
import { isInFlight } from "./pick-messages.ts";
import { withAttributes } from "./queue-attributes.ts";
import { isFifoName, queueArn, readUrl } from "./queue-names.ts";
import type { QueueRecord } from "./records.ts";
import { invalidParameter, noQueue, sqsError } from "./refusals.ts";
import { queueKey } from "./store.ts";
import { isOver } from "./sweep.ts";

/** A queue that was deleted is still told of for so long, and changes of attributes are not yet. */
const LAG = 5_000;
const PURGE_REST = 60_000;

/** Queues themselves. */
export function queueOperations({ world, store, waiters, urlOf }: Ground): Handlers<Operations> {
  const { clock, pace } = world;
  const lag = pace.lag ? LAG * pace.durations : 0;
  /** As reads see it: deletions come through late. */
  const isSeen = ({ deletedAt }: QueueRecord): boolean => deletedAt === undefined || clock.now() < deletedAt + lag;
  const seen = ({ region }: CallContext, account: string, name: string): QueueRecord => {
    const found = store.queues.get(queueKey({ account, region, name }));
    if (found === undefined || !isSeen(found)) throw noQueue();
    return found;
  };
  const empty = (commit: Commit, queue: QueueRecord, next: QueueRecord): void => {
    for (const [, message] of store.messagesOf(queue)) store.remove(commit, queue, message);
    commit.put(store.queues, queueKey(queue), next);
  };
  return {
    CreateQueue: async (input, context) => ({ QueueUrl: urlOf(await createQueue(world, store, context, input)) }),
    GetQueueUrl: ({ QueueName, QueueOwnerAWSAccountId: owner }, context) => {
      if (owner !== undefined && owner !== context.account) throw noQueue();
      return { QueueUrl: urlOf(seen(context, context.account, QueueName)) };
    },
    ListQueues: ({ QueueNamePrefix, ...page }, context) => {
      const { items, nextToken } = pageOfNames(store.queuesIn(context, QueueNamePrefix).filter(isSeen), page);
      return { ...(items.length > 0 && { QueueUrls: items.map(urlOf) }), NextToken: nextToken };
    },
    DeleteQueue: async ({ QueueUrl }, context) => {
      const queue = store.queue(context, QueueUrl);
      const committed = store.commit((commit) => {
        empty(commit, queue, { ...queue, deletedAt: clock.now() });
        // A queue that gets the name later was never sent any of it, nor emptied.
        for (const [key] of store.sentTo(queue)) commit.delete(store.sent, key);
        for (const [key] of store.moveTasksOf(queue)) commit.delete(store.moveTasks, key);
      });
      waiters.wake(queueKey(queue));
      await committed;
      return {};
    },
    PurgeQueue: async ({ QueueUrl }, context) => {
      const queue = store.queue(context, QueueUrl);
      const now = clock.now();
      if (queue.purgedAt !== undefined && now < queue.purgedAt + PURGE_REST * pace.durations) {
        throw sqsError(
          "PurgeQueueInProgress",
          `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
          403,
        );
      }
      await store.commit((commit) => empty(commit, queue, { ...queue, purgedAt: now }));
      return {};
    },
    GetQueueAttributes: ({ QueueUrl, AttributeNames: wanted = [] }, context) => {
      const { account, name } = readUrl(QueueUrl);
      const queue = account === context.account ? seen(context, account, name) : store.queue(context, QueueUrl);
      const stale =
        queue.before !== undefined && clock.now() < queue.modifiedAt + lag ? queue.before : queue.attributes;
      const all = [...stale, ...readOnly(queue)];
      const chosen = all.filter(([each]) => wanted.includes("All") || wanted.includes(each));
      return chosen.length === 0 ? {} : { Attributes: Object.fromEntries(chosen) };
    },
    SetQueueAttributes: async ({ QueueUrl, Attributes }, context) => {
      const queue = store.queue(context, QueueUrl);
      const fifo = isFifoName(queue.name);
      if (Object.hasOwn(Attributes, "FifoQueue") && Attributes["FifoQueue"] !== String(fifo)) {
        throw invalidParameter(
          "Value for parameter FifoQueue is invalid. Reason: Modifying queue type is not supported.",
        );
      }
      const checked = settable(store, queue, queue.name, Attributes, fifo);
      const attributes = withAttributes(queue.attributes, checked, fifo);
      const next = { ...queue, attributes, before: queue.attributes, modifiedAt: clock.now() };
      const committed = store.commit((commit) => commit.put(store.queues, queueKey(queue), next));
      waiters.wake(queueKey(queue));
      await committed;
      return {};
    },
    ListDeadLetterSourceQueues: ({ QueueUrl, ...page }, context) => {
      const sources = store.deadLetterSourcesOf(store.queue(context, QueueUrl));
      const { items, nextToken } = pageOfNames(sources, page);
      return { queueUrls: items.map(urlOf), NextToken: nextToken };
    },
  };

  function readOnly(queue: QueueRecord): readonly (readonly [string, string])[] {
    const now = clock.now();
    let [visible, hidden, delayed] = [0, 0, 0];
    for (const [, message] of store.messagesOf(queue)) {
      if (isOver(queue, message, now)) continue;
      if (isInFlight(message, now)) hidden++;
      else if (message.hiddenUntil > now) delayed++;
      else visible++;
    }
    return [
      ["QueueArn", queueArn(queue, queue.name)],
      ["ApproximateNumberOfMessages", String(visible)],
      ["ApproximateNumberOfMessagesNotVisible", String(hidden)],
      ["ApproximateNumberOfMessagesDelayed", String(delayed)],
      ["CreatedTimestamp", String(Math.floor(queue.createdAt / 1_000))],
      ["LastModifiedTimestamp", String(Math.floor(queue.modifiedAt / 1_000))],
    ];
  }
}
