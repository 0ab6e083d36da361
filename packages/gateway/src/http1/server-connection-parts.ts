import type { Clock } from "@gatewright/ports";
import type { Client, Exchange } from "../exchange/exchange.ts";
import type { BadMessage } from "./bad-message.ts";
import type { RequestRules } from "./request-head.ts";

/** What a connection is served with. */
export interface ServerConnectionParts {
  readonly clock: Clock;
  readonly client: Client;
  readonly listener: string;
  readonly rules: RequestRules;
  handle(exchange: Exchange): void;
  refused(error: BadMessage): void;
}

/**
 * `idle`: a head is awaited, or comes. `busy`: a request is under way. `tunnel`: another protocol is spoken. `lingering`: everything
 * is said; what still comes is thrown away, so that the client can read the answer. `closed`.
 */
export type State = "idle" | "busy" | "tunnel" | "lingering" | "closed";
