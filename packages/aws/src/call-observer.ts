import type { ServiceName } from "@gatewright/aws-wire";
import type { AwsErrorKind } from "./aws-call-error.ts";

/** One try of a call, as it ended. What was never sent because the gate was closed, or was cut off by its caller, is none. */
export interface ObservedCall {
  readonly service: ServiceName;
  readonly operation: string;
  readonly outcome: "ok" | AwsErrorKind;
  /** AWS's own word for what went wrong; undefined when nothing did. */
  readonly code: string | undefined;
  /** How long it took, without the wait for its budget. */
  readonly ms: number;
}

/** Hears of calls to AWS: metrics are made from it. */
export type CallObserver = (call: ObservedCall) => void;

/** Hears of a try that is about to be made; what it gives hears of its end, with the error if it failed or was cut off. */
export type TryObserver = (call: Pick<ObservedCall, "service" | "operation">) => (error?: unknown) => void;
