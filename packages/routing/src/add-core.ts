import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log, Manager, Metrics } from "@gatewright/runtime";
import { byLabel } from "./distribution/by-label.ts";
import { ChangePace } from "./distribution/change-pace.ts";
import type { Connections } from "./distribution/connected-gateway.ts";
import { createConnections } from "./distribution/create-connections.ts";
import { Feed } from "./feed/feed.ts";
import { ingressSource } from "./ingress/ingress-source.ts";
import { MutableCatalogue } from "./model/mutable-catalogue.ts";
import type { RoutingSettings } from "./routing-settings.ts";

export interface CoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly settings: Pick<RoutingSettings, "feed" | "ingress">;
}

/** What doors and statuses rest on. */
export interface Core {
  readonly catalogue: MutableCatalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly feed: Feed;
}

/** Adds what every replica does to know what gateways are to have. */
export function addCore(manager: Manager, { clock, log, metrics, settings }: CoreOptions): Core {
  const catalogue = new MutableCatalogue();
  const connections = createConnections({ catalogue, clock, selection: byLabel });
  const pace = new ChangePace({ catalogue, clock });
  const feed = new Feed({
    cache: manager.cache,
    client: manager.ungated,
    clock,
    log,
    catalogue,
    settings: settings.feed,
    ...(metrics !== undefined && { metrics }),
    ...(settings.ingress !== undefined && { sources: [ingressSource(settings.ingress)] }),
  });
  manager.addRunnable(feed);
  manager.addCheck(feed.check);
  manager.addRunnable({
    name: "routing-pace",
    when: "always",
    async run(signal) {
      pace.start(signal);
      await aborted(signal);
    },
  });
  return { catalogue, connections, pace, feed };
}
