import type { Clock } from "@gatewright/ports";
import type { Client, Exchange } from "./exchange.ts";

/** What a connection is served with, whichever protocol it speaks. `Refusal` is how the protocol tells what never became a request. */
export interface Serving<Limits, Refusal> {
  readonly clock: Clock;
  readonly scheme: "http" | "https";
  readonly client: Client;
  /** The listener's name. */
  readonly listener: string;
  readonly limits?: Partial<Limits>;
  /** By default refused. */
  readonly escapedSlashes?: "refuse" | "pass";
  /** By default not. */
  readonly mergeSlashes?: boolean;
  /** By default such fields are dropped. */
  readonly underscores?: "refuse" | "drop" | "pass";
  /** Answers a request, sooner or later. Must not throw. */
  handle(exchange: Exchange): void;
  /** Is told of what never became a request: for logs and metrics. */
  refused?(refusal: Refusal): void;
}
