import { hash } from "node:crypto";
import type { Operations } from "@gatewright/aws-wire/types/sqs";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { Commit } from "../state/state.ts";
import { checkBatch, eachEntry } from "./batch.ts";
import type { Ground } from "./ground.ts";
import { attributesSize } from "./message-attributes.ts";
import { draftMessage } from "./message-draft.ts";
import type { Draft } from "./message-draft.ts";
import { attributesMd5 } from "./message-md5.ts";
import { isFifoName } from "./queue-names.ts";
import type { MessageRecord, QueueRecord } from "./records.ts";
import { sqsError } from "./refusals.ts";
import { textOf } from "./setting.ts";
import { queueKey } from "./store.ts";
import { DEDUPLICATION_WINDOW, sweepMessages } from "./sweep.ts";

const LARGEST_BATCH = 1_048_576;

/** Sending, one or several at once. */
export function sendOperations(ground: Ground): Handlers<Operations> {
  const { world, store } = ground;
  return {
    SendMessage: async (input, context) => {
      await makeRoom(ground, [input]);
      const queue = store.queue(context, input.QueueUrl);
      const draft = draftMessage(queue, input, context.caller.userId, world.clock.now());
      const [message] = await sendDrafts(ground, queue, [draft]);
      return message === undefined ? {} : told(queue, message);
    },
    SendMessageBatch: async ({ QueueUrl, Entries }, context) => {
      await makeRoom(ground, Entries);
      const queue = store.queue(context, QueueUrl);
      checkBatch(Entries, "SendMessageBatchRequestEntry");
      const { done, Failed } = eachEntry(Entries, (entry) => ({
        Id: entry.Id,
        draft: draftMessage(queue, entry, context.caller.userId, world.clock.now()),
      }));
      const size = done.reduce(
        (sum, { draft }) => sum + Buffer.byteLength(draft.body) + attributesSize(draft.attributes),
        0,
      );
      if (size > LARGEST_BATCH) {
        throw sqsError(
          "BatchRequestTooLong",
          `Batch requests cannot be longer than ${LARGEST_BATCH} bytes. You have sent ${size} bytes.`,
        );
      }
      const sent = await sendDrafts(
        ground,
        queue,
        done.map(({ draft }) => draft),
      );
      return { Successful: sent.map((message, i) => ({ Id: done[i]!.Id, ...told(queue, message) })), Failed };
    },
  };
}

/** Sends messages that were checked; resolves when they are kept. */
export async function sendDrafts(
  ground: Ground,
  queue: QueueRecord,
  drafts: readonly Draft[],
): Promise<readonly MessageRecord[]> {
  let sent: readonly MessageRecord[] = [];
  const committed = ground.store.commit((commit) => {
    sent = enqueue(ground, commit, queue, drafts);
  });
  ground.waiters.wake(queueKey(queue));
  await committed;
  return sent;
}

/** Puts messages into a queue; one that was sent before is told of instead. */
function enqueue(
  { world, store }: Ground,
  commit: Commit,
  queue: QueueRecord,
  drafts: readonly Draft[],
): readonly MessageRecord[] {
  const now = world.clock.now();
  const fresh = new Map<string, { readonly id: string; readonly sequence: string }>();
  return drafts.map((draft) => {
    const key = draft.deduplication === undefined ? undefined : sentKey(queue, draft);
    const remembered = key === undefined ? undefined : store.sent.get(key);
    const known =
      key !== undefined && remembered && now < remembered.at + DEDUPLICATION_WINDOW ? remembered : fresh.get(key ?? "");
    if (known) return { ...draft, id: known.id, sequence: known.sequence };
    const message = { ...draft, id: uuid(world.random), sequence: store.nextSequence(queue) };
    store.add(commit, queue, message);
    if (key !== undefined) {
      const { id, sequence } = message;
      fresh.set(key, { id, sequence });
      commit.put(store.sent, key, { id, sequence, at: now });
    }
    return message;
  });
}

function sentKey(queue: QueueRecord, { group = "", deduplication = "" }: Draft): string {
  const scope = textOf(queue, "DeduplicationScope") === "messageGroup" ? group : "";
  return `${queueKey(queue)}|${hash("sha256", `${scope}\n${deduplication}`, "hex")}`;
}

/** Comes before everything else: nothing that is read before it may be believed after it. */
export async function makeRoom(
  { world, store, mostBytes }: Ground,
  entries: readonly { readonly MessageBody: string }[],
): Promise<void> {
  const wanted = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  if (store.bytes() + wanted <= mostBytes) return;
  await sweepMessages(store, world.clock.now());
  if (store.bytes() + wanted <= mostBytes) return;
  throw new AwsError(
    "OverLimit",
    `The messages of all queues take ${mostBytes} bytes, which is all that this machine gives them.`,
    { status: 403 },
  );
}

function told(queue: QueueRecord, message: MessageRecord) {
  const { id, sequence, attributes, trace } = message;
  return {
    MessageId: id,
    MD5OfMessageBody: message.bodyMd5,
    MD5OfMessageAttributes: attributesMd5(attributes),
    ...(trace !== undefined && {
      MD5OfMessageSystemAttributes: attributesMd5([{ name: "AWSTraceHeader", type: "String", value: trace }]),
    }),
    ...(isFifoName(queue.name) && { SequenceNumber: sequence }),
  };
}
