import type { Exchange } from "./exchange.ts";
import type { WebhookServer } from "./webhook-server.ts";

/** One of the two servers, with what is needed to ask it. */
export interface World extends AsyncDisposable {
  readonly name: "real" | "embedded";
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Host and port by which the server calls itself. */
  readonly addresses: readonly string[];
  readonly exchange: Exchange;
  readonly tokens: Readonly<Record<"admin" | "alice", string>>;
  readonly webhook: WebhookServer;
}

/** A user without any rights of her own. */
export const ALICE = { token: "alice-of-the-differential-tests", name: "alice", groups: ["developers"] };
