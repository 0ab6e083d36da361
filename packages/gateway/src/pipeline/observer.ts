import type { Exchange } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";

/** How a request went, told once it is over. */
export interface CallRecord {
  readonly exchange: Exchange;
  /** Undefined: no route took it. */
  readonly call: Call | undefined;
  readonly status: number;
  /** Why the answer was made here; undefined: a backend made it. */
  readonly origin: string | undefined;
  readonly sentBytes: number;
  readonly failure: "client_gone" | "body_failed" | undefined;
  /** Milliseconds from the head of the request to the end of the answer. */
  readonly tookMs: number;
}

/** Who watches requests: logs, metrics, traces. Neither may throw. */
export interface Observer {
  /** A route takes the request; nothing was done yet. May change its fields, as traces do. */
  started(call: Call): void;
  ended(record: CallRecord): void;
  /** A fault of ours: what failed, and where. */
  fault(where: string, error: unknown): void;
}
