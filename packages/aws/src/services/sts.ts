import type { Operations } from "@gatewright/aws-wire/types/sts";
import type { Caller } from "../caller.ts";
import { serviceCalls } from "../service-calls.ts";

const REPEATABLE = ["AssumeRole", "AssumeRoleWithWebIdentity", "GetCallerIdentity"] as const;

/** Security Token Service: each operation as a function. */
export function stsCalls(call: Caller) {
  return serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "sts", { repeatable: REPEATABLE, once: [] });
}

/** {@inheritDoc stsCalls} */
export type StsCalls = ReturnType<typeof stsCalls>;
