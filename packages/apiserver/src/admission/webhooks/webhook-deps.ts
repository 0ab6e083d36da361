import type { Random } from "@gatewright/ports";
import type { Authorizer } from "../../auth/authorizer.ts";
import type { Cluster } from "../../cluster.ts";
import type { WebhookCaller } from "./webhook-client.ts";

/** What calling admission webhooks takes. */
export interface WebhookDeps {
  readonly cluster: Cluster;
  readonly authorizer: Authorizer;
  readonly callWebhook: WebhookCaller;
  readonly random: Random;
  /** Hears of calls that failed and were passed over because the webhook's failurePolicy is Ignore. */
  report(message: string): void;
}
