import type { Operations } from "@gatewright/aws-wire/types/rds";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

const REPEATABLE = [
  "AddTagsToResource",
  "DescribeDBEngineVersions",
  "DescribeDBInstances",
  "DescribeDBSnapshots",
  "DescribeOrderableDBInstanceOptions",
  "ListTagsForResource",
  "ModifyDBInstance",
  "RemoveTagsFromResource",
] as const;
const ONCE = [
  "CreateDBInstance",
  "DeleteDBInstance",
  "DeleteDBSnapshot",
  "RebootDBInstance",
  "RestoreDBInstanceFromDBSnapshot",
  "StartDBInstance",
  "StopDBInstance",
] as const;

/** Relational Database Service: each operation as a function. */
export function rdsCalls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  return serviceCalls<Operations, Name>(call, "rds", { repeatable: REPEATABLE, once: ONCE });
}

/** {@inheritDoc rdsCalls} */
export type RdsCalls = ReturnType<typeof rdsCalls>;
