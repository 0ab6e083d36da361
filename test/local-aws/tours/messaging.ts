import type { Answer, Aws } from "./aws-session.ts";
import { textAt } from "./look.ts";

/** Asks the CLI for one service after the other what its users ask; gives every answer by name. */
export type Tour = (aws: Aws, folder: string) => Promise<Record<string, Answer>>;

export const stsTour: Tour = async (aws) => ({
  identity: await aws("sts get-caller-identity"),
  role: await aws(
    "sts assume-role --role-arn arn:aws:iam::000000000000:role/deploy --role-session-name tour --query AssumedRoleUser.Arn",
    "--output",
    "text",
  ),
  tooLong: await aws(
    "sts assume-role --role-arn arn:aws:iam::000000000000:role/deploy --role-session-name tour --duration-seconds 50000",
  ),
});

export const sqsTour: Tour = async (aws) => {
  const dead = await aws("sqs create-queue --queue-name dead");
  const deadUrl = textAt(dead, "QueueUrl");
  const deadArn = textAt(
    await aws("sqs get-queue-attributes --attribute-names QueueArn --queue-url", deadUrl),
    "Attributes",
    "QueueArn",
  );
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: 1 });
  const made = await aws("sqs create-queue --queue-name work --tags team=web --attributes", {
    RedrivePolicy,
    VisibilityTimeout: "0",
  });
  const url = textAt(made, "QueueUrl");
  const receive = (from: string) => aws("sqs receive-message --max-number-of-messages 10 --queue-url", from);
  const sent = await aws(
    "sqs send-message --message-body hello --message-attributes",
    { kind: { DataType: "String", StringValue: "greeting" } },
    "--queue-url",
    url,
  );
  const received = await aws("sqs receive-message --message-attribute-names All --queue-url", url);
  const receivedAgain = await receive(url);
  const fifo = await aws("sqs create-queue --queue-name orders.fifo --attributes", {
    FifoQueue: "true",
    ContentBasedDeduplication: "true",
  });
  const fifoUrl = textAt(fifo, "QueueUrl");
  const order = (body: string) =>
    aws(`sqs send-message --message-body ${body} --message-group-id g --queue-url`, fifoUrl);
  for (const body of ["one", "two", "one"]) await order(body);
  const inOrder = await receive(fifoUrl);
  const deadLetter = await receive(deadUrl);
  const deleted = await aws(
    "sqs delete-message --receipt-handle",
    textAt(deadLetter, "Messages", 0, "ReceiptHandle"),
    "--queue-url",
    deadUrl,
  );
  return {
    made,
    attributes: await aws("sqs get-queue-attributes --attribute-names All --queue-url", url),
    tags: await aws("sqs list-queue-tags --queue-url", url),
    sameAgain: await aws("sqs create-queue --queue-name dead"),
    otherAttributes: await aws("sqs create-queue --queue-name dead --attributes VisibilityTimeout=7"),
    sent,
    received,
    receivedAgain,
    deadLetter,
    deleted,
    fifo,
    inOrder,
    withoutGroup: await aws("sqs send-message --message-body x --queue-url", fifoUrl),
    listed: await aws("sqs list-queues"),
    sources: await aws("sqs list-dead-letter-source-queues --queue-url", deadUrl),
    batch: await aws(
      "sqs send-message-batch --entries",
      [
        { Id: "a", MessageBody: "1" },
        { Id: "b", MessageBody: "2", DelaySeconds: 901 },
      ],
      "--queue-url",
      deadUrl,
    ),
    noQueue: await aws("sqs get-queue-url --queue-name nowhere"),
    removed: await aws("sqs delete-queue --queue-url", url),
  };
};
