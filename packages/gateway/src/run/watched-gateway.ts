import type { Clock, Random } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import type { Log, MetricsRegistry, Tracer } from "@gatewright/telemetry";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import { Gateway } from "../gateway.ts";
import { AccessLog } from "../observability/access-log.ts";
import { GatewayMetrics } from "../observability/gateway-metrics.ts";
import { observe } from "../observability/observe.ts";

/** What a gateway and its watchers are made with. */
export interface WatchedParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tracer: Tracer | undefined;
  /** Takes lines of the access log, several at once. */
  readonly write: (lines: string) => void;
  readonly configured: () => boolean;
  readonly stickySecret: string;
  /** How many serve the same ports, this one included. */
  readonly workers: number;
  /** Others say how many objects there are: the same in all workers, and added up over them. */
  readonly isWorker: boolean;
}

/** A gateway with its access log and its metrics. */
export interface WatchedGateway {
  readonly gateway: Gateway;
  readonly metrics: MetricsRegistry;
  readonly counted: GatewayMetrics;
  /** Writes the lines that wait. */
  flush(): void;
}

/** Makes a gateway that is watched as its settings say. It listens nowhere yet. */
export function watchedGateway(settings: GatewaySettings, parts: WatchedParts): WatchedGateway {
  const { clock, random, log, tracer, workers, isWorker } = parts;
  const metrics = createMetrics();
  const counted = new GatewayMetrics(metrics, clock, settings.metrics.perRoute);
  const { enabled, sampleRate, headers = [] } = settings.accessLog;
  const accessLog = enabled
    ? new AccessLog({
        write: parts.write,
        clock,
        random,
        sampleRate,
        headers: headers.map((name) => name.toLowerCase()),
      })
    : undefined;
  const gateway = new Gateway(settings, {
    clock,
    random,
    observer: observe({ log, accessLog, metrics: counted, tracer }),
    fault: (error) => log.error("A listener cannot do what its settings say", { problem: error.message }),
    refused: (listener, reason) => counted.refused(listener, reason),
    shared: workers > 1,
    workers,
    stickySecret: parts.stickySecret,
    configured: parts.configured,
  });
  GatewayMetrics.watch(metrics, {
    active: () => gateway.active,
    connections: () => gateway.bound,
    objects: () => (isWorker ? [] : gateway.held()),
    refusedObjects: () => (isWorker ? 0 : refusedObjects(gateway)),
    unhealthyEndpoints: () => (isWorker ? 0 : unhealthyEndpoints(gateway)),
  });
  return { gateway, metrics, counted, flush: () => accessLog?.flush() };
}

function refusedObjects(gateway: Gateway): number {
  const refused = gateway.findings().filter(({ severity }) => severity === "error");
  return new Set(refused.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)).size;
}

function unhealthyEndpoints(gateway: Gateway): number {
  return gateway
    .backends()
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ healthy, ejected }) => !healthy || ejected).length;
}
