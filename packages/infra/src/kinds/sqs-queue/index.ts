import { SQSQueue } from "@gatewright/resources";
import type { AwsKind } from "../../engine/aws-kind.ts";
import { changeQueue, createQueue, readQueue, removeQueue, tagQueue } from "./calls.ts";
import { QUEUE_FIELDS } from "./fields.ts";
import { attributeOf, countOf } from "./queue.ts";
import type { Queue } from "./queue.ts";

/** A queue of SQS. Its name is its id. */
export const sqsQueue: AwsKind<SQSQueue, Queue> = {
  resource: SQSQueue,
  finalizer: "aws-infra-operator.runner.codes/sqsqueue-finalizer",
  service: "sqs",
  tagType: "sqs",
  holdsData: false,
  driftMs: 30 * 60_000,
  lagMs: 5_000,
  settleMs: 60_000,
  nameOf: ({ queueName }) => queueName,
  idOf: (arn) => arn.slice(arn.lastIndexOf(":") + 1),
  fields: QUEUE_FIELDS,
  references: ({ deadLetterQueue }) =>
    deadLetterQueue?.queueRef === undefined
      ? []
      : [
          {
            to: "output",
            path: "deadLetterQueue.queueRef",
            kind: "SQSQueue",
            name: deadLetterQueue.queueRef.name,
            output: "arn",
          },
        ],
  outputsInStatus: { arn: "queueARN", url: "queueURL" },
  read: readQueue,
  create: createQueue,
  change: changeQueue,
  tag: tagQueue,
  remove: removeQueue,
  idIn: ({ name }) => name,
  tagsOf: ({ tags }) => tags,
  stateOf: () => ({ is: "ready" }),
  statusOf: (queue) => ({
    queueURL: queue.url,
    queueARN: attributeOf(queue, "QueueArn"),
    approximateNumberOfMessages: countOf(queue, "ApproximateNumberOfMessages"),
    approximateNumberOfMessagesNotVisible: countOf(queue, "ApproximateNumberOfMessagesNotVisible"),
  }),
  outputsOf: (queue) => ({ url: queue.url, arn: attributeOf(queue, "QueueArn") ?? "", name: queue.name }),
};
