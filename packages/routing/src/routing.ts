import { aborted } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Log, Manager, Metrics } from "@gatewright/runtime";
import { addExpiryMetric, createWebhookServer } from "@gatewright/runtime/webhook";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import { ingressMatching } from "./admission/ingress-matching.ts";
import { routingWebhooks } from "./admission/routing-webhooks.ts";
import { byLabel } from "./distribution/by-label.ts";
import { ChangePace } from "./distribution/change-pace.ts";
import type { Connections } from "./distribution/connected-gateway.ts";
import { addConnectionMetrics } from "./distribution/connection-metrics.ts";
import { createConnections } from "./distribution/create-connections.ts";
import { pushDoor, streamDoor, xdsDoor } from "./doors.ts";
import type { DoorParts } from "./doors.ts";
import { Feed } from "./feed/feed.ts";
import { ingressSource } from "./ingress/ingress-source.ts";
import { ingressStatuses } from "./ingress/ingress-statuses.ts";
import type { Catalogue } from "./model/catalogue.ts";
import { MutableCatalogue } from "./model/mutable-catalogue.ts";
import { DEFAULT_ROUTING_SETTINGS } from "./routing-settings.ts";
import type { RoutingSettings } from "./routing-settings.ts";
import { routingStatus } from "./status/routing-status.ts";

export interface RoutingOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** The operator's own namespace: what replicas tell each other is kept there. */
  readonly namespace: string;
  /** Names this process among the replicas: the pod's name. */
  readonly replica: string;
  /** The operator's certificate, and the authorities that those of gateways are from. */
  readonly certificates: CertificateSource;
  /** Default: {@link DEFAULT_ROUTING_SETTINGS}, field by field. */
  readonly settings?: Partial<RoutingSettings>;
}

/** Routing, put together. */
export interface Routing {
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  /** Where gateways dial in, once they can. */
  readonly streamPort: Promise<number>;
  /** Where API servers ask, once they can; never when they cannot. */
  readonly webhookPort: Promise<number>;
}

/**
 * Adds routing to a manager: the feed and the stream on every replica, statuses where it leads. Nothing is done before the manager
 * runs.
 */
export function addRouting(manager: Manager, options: RoutingOptions): Routing {
  const { clock, random, log, metrics, certificates, namespace, replica } = options;
  const settings = { ...DEFAULT_ROUTING_SETTINGS, ...options.settings };
  const { ingress } = settings;
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
    ...(ingress !== undefined && { sources: [ingressSource(ingress)] }),
  });
  manager.addRunnable(feed);
  manager.addCheck(feed.check);
  if (metrics !== undefined) {
    addConnectionMetrics(metrics, connections);
    addExpiryMetric(metrics, "operator", certificates);
  }

  const { controllers, runnables, gateways } = routingStatus({
    manager,
    feed,
    catalogue,
    connections,
    selection: byLabel,
    clock,
    log,
    namespace,
    replica,
  });
  for (const controller of controllers) manager.add(controller);
  for (const runnable of runnables) manager.addRunnable(runnable);
  if (ingress !== undefined) {
    const { addresses } = ingress;
    manager.add(ingressStatuses({ feed, catalogue, gateways, clock, classes: ingress, addresses }));
  }

  const { promise: webhookPort, resolve: asked } = Promise.withResolvers<number>();
  if (settings.webhooks === undefined) {
    manager.addRunnable({
      name: "routing-certificates",
      when: "always",
      run: (signal) => certificates.run(signal),
    });
  } else {
    const matching = ingress && ingressMatching(ingress.className, ingress.isDefault);
    const webhooks = routingWebhooks({
      feed,
      clock,
      client: manager.ungated,
      ...(matching !== undefined && { ingresses: { matching } }),
    });
    // It looks after the certificate, too.
    const server = createWebhookServer({
      ...settings.webhooks,
      webhooks,
      certificates,
      clock,
      log,
      ...(metrics !== undefined && { metrics }),
      listening: ({ port }) => asked(port),
    });
    manager.addRunnable(server);
    manager.addCheck(server.check);
  }
  manager.addRunnable({
    name: "routing-pace",
    when: "always",
    async run(signal) {
      pace.start(signal);
      await aborted(signal);
    },
  });
  const { promise: streamPort, resolve: bound } = Promise.withResolvers<number>();
  const parts: DoorParts = {
    settings,
    certificates,
    feed,
    catalogue,
    connections,
    pace,
    gate: () => manager.gate.check(),
    clock,
    random,
    log,
    ...(metrics !== undefined && { metrics }),
  };
  for (const door of [streamDoor(parts, bound), xdsDoor(parts), pushDoor(parts)])
    if (door !== undefined) manager.addRunnable(door);
  return { catalogue, connections, streamPort, webhookPort };
}
