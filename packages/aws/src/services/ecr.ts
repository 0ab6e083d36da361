import type { Operations } from "@gatewright/aws-wire/types/ecr";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

const REPEATABLE = [
  "DeleteLifecyclePolicy",
  "DeleteRepositoryPolicy",
  "DescribeImages",
  "DescribeRepositories",
  "GetLifecyclePolicy",
  "GetRepositoryPolicy",
  "ListTagsForResource",
  "PutImageScanningConfiguration",
  "PutImageTagMutability",
  "PutLifecyclePolicy",
  "SetRepositoryPolicy",
  "TagResource",
  "UntagResource",
] as const;
const ONCE = ["CreateRepository", "DeleteRepository"] as const;

/** Elastic Container Registry: each operation as a function. */
export function ecrCalls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  return serviceCalls<Operations, Name>(call, "ecr", { repeatable: REPEATABLE, once: ONCE });
}

/** {@inheritDoc ecrCalls} */
export type EcrCalls = ReturnType<typeof ecrCalls>;
