import type { Operations } from "@gatewright/aws-wire/types/sqs";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

/** `CreateQueue` with the same attributes gives the queue that is there. */
const REPEATABLE = [
  "CreateQueue",
  "DeleteQueue",
  "GetQueueAttributes",
  "GetQueueUrl",
  "ListDeadLetterSourceQueues",
  "ListQueueTags",
  "ListQueues",
  "SetQueueAttributes",
  "TagQueue",
  "UntagQueue",
] as const;

/** Simple Queue Service: each operation as a function. */
export function sqsCalls(call: Caller) {
  return serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "sqs", { repeatable: REPEATABLE, once: [] });
}

/** {@inheritDoc sqsCalls} */
export type SqsCalls = ReturnType<typeof sqsCalls>;
