import { hash } from "node:crypto";
import type {
  BatchResultErrorEntry,
  Operations,
  PublishBatchResultEntry,
  PublishInput,
  PublishResponse,
} from "@gatewright/aws-wire/types/sns";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import { isJsonObject } from "../is-json-object.ts";
import type { QueueInlets } from "../neighbours.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { isFifoName } from "./arn.ts";
import { batchTooLong, checkBatch } from "./batch.ts";
import { deliver } from "./deliver.ts";
import type { FifoWords } from "./deliver.ts";
import type { TopicRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { topicKey } from "./store.ts";
import type { SnsStore } from "./store.ts";
import { topicAttributes } from "./topic-attributes.ts";

const LARGEST = 262_144;
/** A message with the same deduplication id is not taken again for so long. */
const DEDUPLICATION_WINDOW = 5 * 60_000;
const ID = /^[A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;
const SUBJECT = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u;
const TYPE = /^(?:String(?:\.Array)?|Number|Binary)$/;

/** Publishing: when it is answered, the message is in every queue that it was for. */
export function publishOperations(
  world: AwsWorld,
  store: SnsStore,
  queues: QueueInlets | undefined,
): Handlers<Operations> {
  return {
    Publish: async (input, context) => {
      const arn = input.TopicArn ?? input.TargetArn;
      if (arn === undefined) throw invalid("TopicArn or TargetArn Reason: no value for required parameter");
      const topic = store.topic(context, arn, "Publish");
      return await publish(topic, input);
    },
    PublishBatch: async ({ TopicArn, PublishBatchRequestEntries: entries }, context) => {
      const topic = store.topic(context, TopicArn, "Publish");
      checkBatch(entries);
      if (entries.reduce((sum, entry) => sum + messageSize(entry), 0) > LARGEST) throw batchTooLong();
      const Successful: PublishBatchResultEntry[] = [];
      const Failed: BatchResultErrorEntry[] = [];
      // One after the other: a FIFO topic keeps the order of the batch.
      for (const { Id, ...message } of entries) {
        try {
          Successful.push({ Id, ...(await publish(topic, message)) });
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          Failed.push({ Id, Code: error.code, Message: error.message, SenderFault: error.status < 500 });
        }
      }
      return { Successful, Failed };
    },
  };

  async function publish(topic: TopicRecord, input: PublishInput): Promise<PublishResponse> {
    const texts = checkMessage(input);
    const fifo = isFifoName(topic.name) ? fifoWords(topic, input) : checkNoFifoWords(input);
    const now = world.clock.now();
    const key = fifo && `${topicKey(topic)}|${hash("sha256", `${fifo.scope}\n${fifo.deduplication}`, "hex")}`;
    const known = key === undefined ? undefined : store.published.get(key);
    if (known !== undefined && now < known.at + DEDUPLICATION_WINDOW) {
      return { MessageId: known.id, SequenceNumber: known.sequence };
    }
    const id = uuid(world.random);
    const sequence = fifo && nextSequence(store, topic, now);
    if (key !== undefined && sequence !== undefined) {
      await store.commit((commit) => {
        for (const [other, { at }] of store.published.list(`${topicKey(topic)}|`)) {
          if (now >= at + DEDUPLICATION_WINDOW) commit.delete(store.published, other);
        }
        commit.put(store.published, key, { id, sequence, at: now });
      });
    }
    const { Subject: subject, MessageAttributes: attributes = {} } = input;
    for (const subscription of store.subscriptionsOf(topic)) {
      const message = texts.get(subscription.protocol) ?? texts.get("default") ?? "";
      const notification = { id, sequence, subject, message, attributes, at: now };
      await deliver(queues, subscription, notification, fifo);
    }
    return { MessageId: id, ...(sequence !== undefined && { SequenceNumber: sequence }) };
  }
}

/** The text for each protocol, and the one for all others. Refuses messages that nobody can publish. */
function checkMessage(input: PublishInput): ReadonlyMap<string, string> {
  const { Message: message, Subject: subject, MessageStructure: structure, MessageAttributes = {} } = input;
  if (message === "") throw invalid("Empty message");
  if (messageSize(input) > LARGEST) throw invalid("Message too long");
  if (subject !== undefined && !SUBJECT.test(subject)) throw invalid("Subject");
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(MessageAttributes)) {
    if (!/^[A-Za-z0-9_.-]{1,256}$/.test(name))
      throw invalid(`Message attribute name '${name.slice(0, 64)}' is invalid`);
    if (!TYPE.test(DataType)) throw invalid(`The message attribute '${name}' has an invalid message attribute type`);
    if ((DataType === "Binary" ? BinaryValue?.length : StringValue?.length) || 0) continue;
    throw invalid(`The message attribute '${name}' must contain non-empty message attribute value`);
  }
  if (structure === undefined || structure === "") return new Map([["default", message]]);
  if (structure !== "json") throw invalid("MessageStructure");
  if (!isJsonObject(message)) throw invalid("Message Structure - JSON message body failed to parse");
  const texts = Object.entries(JSON.parse(message) as object).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  if (!texts.some(([name]) => name === "default")) {
    throw invalid("Message Structure - No default entry in JSON message body");
  }
  return new Map(texts);
}

function fifoWords(topic: TopicRecord, input: PublishInput): FifoWords {
  const { MessageGroupId: group, MessageDeduplicationId: given, Message } = input;
  if (group === undefined) throw invalid("The MessageGroupId parameter is required for FIFO topics");
  const settings = topicAttributes(topic, true);
  const byContent = settings.get("ContentBasedDeduplication") === "true";
  if (given === undefined && !byContent) {
    throw invalid(
      "The topic should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
  if (!ID.test(group)) throw invalid("MessageGroupId");
  if (given !== undefined && !ID.test(given)) throw invalid("MessageDeduplicationId");
  const scope = settings.get("FifoThroughputScope") === "MessageGroup" ? group : "";
  return { group, deduplication: given ?? hash("sha256", Message, "hex"), scope };
}

function checkNoFifoWords({ MessageDeduplicationId: given }: PublishInput): undefined {
  if (given === undefined) return;
  throw invalid(
    "MessageDeduplicationId Reason: The request includes MessageDeduplicationId parameter that is not valid for this topic type",
  );
}

/** Twenty digits, larger than all before. */
function nextSequence(store: SnsStore, topic: TopicRecord, now: number): string {
  const last = store.published
    .list(`${topicKey(topic)}|`)
    .reduce((most, [, { sequence }]) => (sequence > most ? sequence : most), "");
  const first = `1${String(now).padStart(13, "0")}000000`;
  return last < first ? first : String(BigInt(last) + 1n);
}

function messageSize({ Message, MessageAttributes = {} }: Pick<PublishInput, "Message" | "MessageAttributes">): number {
  return Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType, StringValue = "", BinaryValue }]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      (BinaryValue?.length ?? 0),
    Buffer.byteLength(Message),
  );
}
