import type { Operations } from "@gatewright/aws-wire/types/sqs";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createMemoryState } from "../state/memory-state.ts";
import type { State } from "../state/state.ts";
import { createSqs } from "./create-sqs.ts";

interface BenchOptions {
  readonly state?: State;
  readonly clock?: ManualClock;
  readonly durations?: number;
  readonly lag?: boolean;
  readonly mostBytes?: number;
}

/** SQS on a clock that stands still, for tests. */
export function sqsBench(options: BenchOptions = {}) {
  const { state = createMemoryState(), clock = new ManualClock(), durations = 1, lag = false, mostBytes } = options;
  const world = { clock, random: seededRandom(7), state, pace: { durations, lag } };
  const sqs = createSqs(world, mostBytes === undefined ? {} : { mostBytes });
  const call = async <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
    { account = "000000000000", signal = new AbortController().signal } = {},
  ): Promise<Operations[Name]["output"]> =>
    (await sqs.service.operations.get(name)?.(input, {
      caller: { account, arn: `arn:aws:iam::${account}:root`, userId: account, accessKeyId: "test" },
      account,
      region: "eu-west-1",
      requestId: "1",
      signal,
    })) as Operations[Name]["output"];
  const create = async (QueueName: string, Attributes: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await call("CreateQueue", { QueueName, Attributes })).QueueUrl ?? "";
  const send = async (QueueUrl: string, ...bodies: readonly string[]): Promise<void> => {
    for (const MessageBody of bodies) await call("SendMessage", { QueueUrl, MessageBody });
  };
  const receive = async (QueueUrl: string, more: Partial<Operations["ReceiveMessage"]["input"]> = {}) =>
    (await call("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 10, ...more })).Messages ?? [];
  const bodies = async (QueueUrl: string, more: Partial<Operations["ReceiveMessage"]["input"]> = {}) =>
    (await receive(QueueUrl, more)).map(({ Body }) => Body);
  const attribute = async (QueueUrl: string, name: string): Promise<string | undefined> =>
    (await call("GetQueueAttributes", { QueueUrl, AttributeNames: ["All"] })).Attributes?.[name];
  return { sqs, clock, state, call, create, send, receive, bodies, attribute };
}
