import { AwsCallError, isAbsent } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import type { SQSQueue } from "@gatewright/resources";
import type { AwsKind, Change, Creation } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { attributesOf } from "./fields.ts";
import { attributeOf, isFifo } from "./queue.ts";
import type { Queue } from "./queue.ts";

/** URLs of queues, which never change for a name: one call less for each read. */
const urls = new WeakMap<Aws, Map<string, string>>();

/** Reads a queue. That it is not there is believed of SQS's own word on this queue, in whichever call. */
export async function readQueue(ground: Ground, name: string): Promise<Queue | "absent"> {
  const { aws, signal } = ground;
  try {
    const QueueUrl = await urlOf(ground, name);
    const { Attributes: attributes = {} } = await aws.sqs.getQueueAttributes(
      { QueueUrl, AttributeNames: ["All"] },
      { signal },
    );
    const { Tags: tags = {} } = await aws.sqs.listQueueTags({ QueueUrl }, { signal });
    return { name, url: QueueUrl, attributes, tags };
  } catch (error) {
    if (!isAbsent(error)) throw error;
    urls.get(aws)?.delete(name);
    return "absent";
  }
}

async function urlOf({ aws, signal }: Ground, name: string): Promise<string> {
  const known = urls.get(aws) ?? new Map<string, string>();
  urls.set(aws, known);
  const url = known.get(name) ?? (await aws.sqs.getQueueUrl({ QueueName: name }, { signal })).QueueUrl ?? "";
  known.set(name, url);
  return url;
}

/**
 * Makes a queue, with its tags. SQS gives one that is there already when it has what is asked for, and refuses when it has not: in
 * both cases the read that follows says whose it is.
 */
export async function createQueue(
  { aws, signal }: Ground,
  { object, wanted, tags }: Creation<SQSQueue>,
): Promise<string> {
  const { queueName } = object.spec;
  // `FifoQueue: false` is refused.
  const Attributes = { ...attributesOf(wanted), ...(isFifo(queueName) && { FifoQueue: "true" }) };
  try {
    await aws.sqs.createQueue({ QueueName: queueName, Attributes, tags }, { signal });
  } catch (error) {
    if (!(error instanceof AwsCallError && /^(?:QueueAlreadyExists|QueueNameExists)$/.test(error.code))) throw error;
  }
  return queueName;
}

/** Writes all attributes that differ with one call. */
export async function changeQueue(
  { aws, signal }: Ground,
  queue: Queue,
  { fields, wanted }: Change<SQSQueue>,
): Promise<void> {
  const values = new Map<string, Json | undefined>(fields);
  // SQS forgets the period with the key, and does not take its own encryption while there is a key.
  const period = wanted.get("kmsDataKeyReusePeriodSeconds");
  if (fields.get("kmsMasterKeyId") !== undefined && period !== undefined) {
    values.set("kmsDataKeyReusePeriodSeconds", period);
  }
  if (fields.get("sqsManagedSseEnabled") === true && attributeOf(queue, "KmsMasterKeyId") !== undefined) {
    values.set("kmsMasterKeyId", undefined);
  }
  await aws.sqs.setQueueAttributes({ QueueUrl: queue.url, Attributes: attributesOf(values) }, { signal });
}

export const tagQueue: AwsKind<SQSQueue, Queue>["tag"] = async (
  { aws, signal },
  { url: QueueUrl },
  { set, remove },
) => {
  // First: both together may be more than there is room for.
  if (remove.length > 0) await aws.sqs.untagQueue({ QueueUrl, TagKeys: remove }, { signal });
  if (Object.keys(set).length > 0) await aws.sqs.tagQueue({ QueueUrl, Tags: set }, { signal });
};

/** Deletes a queue with its messages. SQS may tell of it for another minute. */
export async function removeQueue({ aws, signal }: Ground, { url: QueueUrl }: Queue): Promise<undefined> {
  try {
    await aws.sqs.deleteQueue({ QueueUrl }, { signal });
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
