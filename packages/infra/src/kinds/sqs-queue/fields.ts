import { isObject } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { SQSQueue } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import type { Given } from "../../engine/given.ts";
import { samePolicy } from "../same-policy.ts";
import { attributeOf, countOf, isFifo } from "./queue.ts";
import type { Queue } from "./queue.ts";

type Spec = Immutable<SQSQueue["spec"]>;
type QueueField = Field<Spec, Queue> & {
  /** What SQS calls it, and how a value of the spec is written there: `""` clears it. Missing: it is never set. */
  readonly attribute?: { readonly name: string; readonly write: (value: Json | undefined) => string };
};

/** Changes of how long messages are kept take up to a quarter of an hour to come through. */
const RETENTION_SETTLE_MS = 15 * 60_000;

const plain = (value: Json | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

function count(path: keyof Spec, name: string, unset: number, more: Partial<QueueField> = {}): QueueField {
  return {
    path,
    change: "in-place",
    want: (spec) => spec[path] as number | undefined,
    have: (queue) => countOf(queue, name),
    unset,
    attribute: { name, write: plain },
    ...more,
  };
}

/** What only FIFO queues have. SQS does not know it of others, whatever it is set to. */
function fifoOnly(path: keyof Spec, name: string, unset: string | boolean): QueueField {
  const read = (text: string | undefined): Json | undefined =>
    text === undefined || typeof unset === "string" ? text : text === "true";
  return {
    path,
    change: "in-place",
    want: (spec) => (isFifo(spec.queueName) ? (spec[path] as string | boolean | undefined) : undefined),
    have: (queue) => read(attributeOf(queue, name)),
    unset,
    attribute: { name, write: plain },
  };
}

const deadLetterQueue: QueueField = {
  path: "deadLetterQueue",
  change: "in-place",
  want: ({ deadLetterQueue: target }, given) => {
    if (target === undefined) return undefined;
    return { targetArn: targetOf(target, given), maxReceiveCount: target.maxReceiveCount };
  },
  have: (queue) => {
    const policy = documentOf(queue, "RedrivePolicy");
    if (policy === undefined) return undefined;
    // SQS gives the count back as it was written: as a number or as text.
    return { targetArn: policy["deadLetterTargetArn"] ?? "", maxReceiveCount: Number(policy["maxReceiveCount"]) };
  },
  unset: null,
  attribute: {
    name: "RedrivePolicy",
    write: (value) =>
      isObject(value)
        ? JSON.stringify({ deadLetterTargetArn: value["targetArn"], maxReceiveCount: value["maxReceiveCount"] })
        : "",
  },
};

function targetOf({ targetArn }: NonNullable<Spec["deadLetterQueue"]>, given: Given): string {
  return targetArn ?? given.value("deadLetterQueue.queueRef") ?? "";
}

const redriveAllowPolicy: QueueField = {
  path: "redriveAllowPolicy",
  change: "in-place",
  want: ({ redriveAllowPolicy: policy }) => policy && allowance(policy.redrivePermission, policy.sourceQueueArns ?? []),
  have: (queue) => {
    const policy = documentOf(queue, "RedriveAllowPolicy");
    if (policy === undefined) return undefined;
    const arns = policy["sourceQueueArns"];
    return allowance(policy["redrivePermission"] ?? "", Array.isArray(arns) ? arns.map(String) : []);
  },
  unset: null,
  attribute: { name: "RedriveAllowPolicy", write: plain },
};

function allowance(redrivePermission: Json, arns: readonly string[]): JsonObject {
  return { redrivePermission, ...(arns.length > 0 && { sourceQueueArns: [...arns].sort() }) };
}

const policy: QueueField = {
  path: "policy",
  change: "in-place",
  // To SQS an empty text is no policy.
  want: ({ policy: document }) => document || undefined,
  have: (queue) => attributeOf(queue, "Policy"),
  same: (want, have) => typeof have === "string" && samePolicy(String(want), have),
  unset: null,
  attribute: { name: "Policy", write: plain },
};

/** With a KMS key it is off, which SQS says too: the two exclude each other. */
const sqsManagedSseEnabled: QueueField = {
  path: "sqsManagedSseEnabled",
  change: "in-place",
  want: ({ kmsMasterKeyId: key, sqsManagedSseEnabled: enabled }) => (key === undefined ? enabled : false),
  have: (queue) => attributeOf(queue, "SqsManagedSseEnabled") === "true",
  unset: true,
  attribute: { name: "SqsManagedSseEnabled", write: plain },
};

const kmsMasterKeyId: QueueField = {
  path: "kmsMasterKeyId",
  change: "in-place",
  want: ({ kmsMasterKeyId: key }) => key,
  have: (queue) => attributeOf(queue, "KmsMasterKeyId"),
  unset: null,
  attribute: { name: "KmsMasterKeyId", write: plain },
};

/** Means nothing without a key, and then SQS does not tell it. */
const kmsDataKeyReusePeriodSeconds = count("kmsDataKeyReusePeriodSeconds", "KmsDataKeyReusePeriodSeconds", 300, {
  want: ({ kmsMasterKeyId: key, kmsDataKeyReusePeriodSeconds: seconds }) => (key === undefined ? undefined : seconds),
  same: (want, have, queue) => want === have || attributeOf(queue, "KmsMasterKeyId") === undefined,
});

/** The fields of a queue. What is reset goes to what AWS gives a new queue. */
export const QUEUE_FIELDS: readonly QueueField[] = [
  { path: "queueName", change: "replace", want: ({ queueName }) => queueName, have: ({ name }) => name },
  {
    path: "fifoQueue",
    change: "replace",
    want: ({ fifoQueue }) => fifoQueue,
    have: (queue) => attributeOf(queue, "FifoQueue") === "true",
  },
  fifoOnly("contentBasedDeduplication", "ContentBasedDeduplication", false),
  fifoOnly("deduplicationScope", "DeduplicationScope", "queue"),
  fifoOnly("fifoThroughputLimit", "FifoThroughputLimit", "perQueue"),
  count("delaySeconds", "DelaySeconds", 0),
  count("maximumMessageSize", "MaximumMessageSize", 1_048_576),
  count("messageRetentionPeriod", "MessageRetentionPeriod", 345_600, { settleMs: RETENTION_SETTLE_MS }),
  count("visibilityTimeout", "VisibilityTimeout", 30),
  count("receiveMessageWaitTimeSeconds", "ReceiveMessageWaitTimeSeconds", 0),
  deadLetterQueue,
  redriveAllowPolicy,
  policy,
  sqsManagedSseEnabled,
  kmsMasterKeyId,
  kmsDataKeyReusePeriodSeconds,
];

/** Values of fields as the attributes that SQS takes. */
export function attributesOf(values: ReadonlyMap<string, Json | undefined>): Readonly<Record<string, string>> {
  const written = QUEUE_FIELDS.flatMap(({ path, attribute }) =>
    attribute === undefined || !values.has(path) ? [] : [[attribute.name, attribute.write(values.get(path))] as const],
  );
  return Object.fromEntries(written);
}

function documentOf(queue: Queue, name: string): JsonObject | undefined {
  const text = attributeOf(queue, name);
  if (text === undefined) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // SQS refuses what is no JSON; whatever it is, it is not what the spec says.
    return undefined;
  }
}
