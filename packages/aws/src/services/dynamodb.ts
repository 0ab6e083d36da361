import type { Operations } from "@gatewright/aws-wire/types/dynamodb";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

const REPEATABLE = [
  "DescribeContinuousBackups",
  "DescribeTable",
  "DescribeTimeToLive",
  "ListTables",
  "ListTagsOfResource",
  "TagResource",
  "UntagResource",
  "UpdateContinuousBackups",
  "UpdateTimeToLive",
] as const;
const ONCE = ["CreateTable", "DeleteTable", "UpdateTable"] as const;

/** DynamoDB: each operation as a function. */
export function dynamodbCalls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  return serviceCalls<Operations, Name>(call, "dynamodb", { repeatable: REPEATABLE, once: ONCE });
}

/** {@inheritDoc dynamodbCalls} */
export type DynamodbCalls = ReturnType<typeof dynamodbCalls>;
