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
