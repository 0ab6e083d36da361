import type { Clock, Random } from "@gatewright/ports";
import type { Log, Manager, Metrics } from "@gatewright/runtime";
import { addExpiryMetric, createWebhookServer } from "@gatewright/runtime/webhook";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import { addCore } from "./add-core.ts";
import { ingressMatching } from "./admission/ingress-matching.ts";
import { routingWebhooks } from "./admission/routing-webhooks.ts";
import { byLabel } from "./distribution/by-label.ts";
import type { Connections } from "./distribution/connected-gateway.ts";
import { addConnectionMetrics } from "./distribution/connection-metrics.ts";
import { pushDoor, streamDoor, xdsDoor } from "./doors.ts";
import type { DoorParts } from "./doors.ts";
import { ingressStatuses } from "./ingress/ingress-statuses.ts";
import type { Catalogue } from "./model/catalogue.ts";
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
  const core = addCore(manager, { clock, log, settings, ...(metrics !== undefined && { metrics }) });
  const { catalogue, connections, feed } = core;
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
  const { promise: streamPort, resolve: bound } = Promise.withResolvers<number>();
  const parts: DoorParts = {
    settings,
    certificates,
    ...core,
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
