import type { Operations } from "@gatewright/aws-wire/types/sns";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

/** `CreateTopic` and `Subscribe` give what is there when it is there. */
const REPEATABLE = [
  "CreateTopic",
  "DeleteTopic",
  "GetSubscriptionAttributes",
  "GetTopicAttributes",
  "ListSubscriptionsByTopic",
  "ListTagsForResource",
  "ListTopics",
  "SetSubscriptionAttributes",
  "SetTopicAttributes",
  "Subscribe",
  "TagResource",
  "Unsubscribe",
  "UntagResource",
] as const;

/** Simple Notification Service: each operation as a function. */
export function snsCalls(call: Caller) {
  return serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "sns", { repeatable: REPEATABLE, once: [] });
}

/** {@inheritDoc snsCalls} */
export type SnsCalls = ReturnType<typeof snsCalls>;
