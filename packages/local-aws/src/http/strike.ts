import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { ConnectionLost } from "../faults.ts";
import type { Fault } from "../faults.ts";
import type { Caller } from "../service.ts";

export interface StruckCall {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly caller: Caller;
  /** `acm:DeleteCertificate`. */
  readonly action: string;
  readonly signal: AbortSignal;
}

/** What becomes of the answer to a call: it is given, it is an earlier one, or it gets lost. */
export type Struck = "answer" | "stale" | "lost";

/** Lets a fault happen to a call: throws what it meets, or says what becomes of its answer. */
export async function strike(fault: Fault | undefined, call: StruckCall): Promise<Struck> {
  switch (fault?.kind) {
    case undefined:
      return "answer";
    case "stale":
      return "stale";
    case "lose reply":
      return "lost";
    case "drop":
      throw new ConnectionLost();
    case "throttle":
      throw call.dialect.throttled();
    case "deny":
      throw call.dialect.denied(call.caller, call.action);
    case "error":
      throw new AwsError(fault.code, fault.message ?? fault.code, { status: fault.status ?? 400 });
    case "delay":
      await sleep(call.clock, fault.ms, call.signal);
      return strike(fault.next, call);
  }
}
