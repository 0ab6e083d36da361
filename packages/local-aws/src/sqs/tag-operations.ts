import type { Operations } from "@gatewright/aws-wire/types/sqs";
import type { TaggedResources } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import { queueArn, readArn } from "./queue-names.ts";
import type { QueueRecord } from "./records.ts";
import { missingParameter } from "./refusals.ts";
import { queueKey } from "./store.ts";
import type { SqsStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

/** Tags of queues. */
export function tagOperations(store: SqsStore): Handlers<Operations> {
  return {
    TagQueue: async ({ QueueUrl, Tags }, context) => {
      const queue = store.queue(context, QueueUrl);
      if (Object.keys(Tags).length === 0) throw missingParameter("Tags");
      await put(store, { ...queue, tags: withTags(queue.tags, Object.entries(Tags)) });
      return {};
    },
    UntagQueue: async ({ QueueUrl, TagKeys }, context) => {
      const queue = store.queue(context, QueueUrl);
      if (TagKeys.length === 0) throw missingParameter("TagKeys");
      await put(store, without(queue, TagKeys));
      return {};
    },
    ListQueueTags: ({ QueueUrl }, context) => {
      const { tags } = store.queue(context, QueueUrl);
      return tags.length === 0 ? {} : { Tags: Object.fromEntries(tags) };
    },
  };
}

/** Queues for the tagging API. */
export function taggedQueues(store: SqsStore): TaggedResources {
  const change = async (arn: string, next: (queue: QueueRecord) => QueueRecord): Promise<boolean> => {
    const named = readArn(arn);
    const queue = named && store.find(named, named.name);
    if (queue === undefined) return false;
    await put(store, next(queue));
    return true;
  };
  return {
    *list(account, region) {
      for (const queue of store.queuesIn({ account, region })) {
        if (queue.deletedAt === undefined) yield { arn: queueArn(queue, queue.name), tags: new Map(queue.tags) };
      }
    },
    tag: (arn, tags) => change(arn, (queue) => ({ ...queue, tags: withTags(queue.tags, tags) })),
    untag: (arn, keys) => change(arn, (queue) => without(queue, keys)),
  };
}

function without(queue: QueueRecord, keys: readonly string[]): QueueRecord {
  return { ...queue, tags: queue.tags.filter(([key]) => !keys.includes(key)) };
}

function put(store: SqsStore, queue: QueueRecord): Promise<void> {
  return store.commit((commit) => commit.put(store.queues, queueKey(queue), queue));
}
