import { deadline, keepAlive, processClock, systemProcessStats, systemRandom } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { LeaseOptions } from "../lease/elector.ts";
import { createThreadedElector } from "../lease/create-threaded-elector.ts";
import { slowPathMetric } from "../lease/slow-path-metric.ts";
import { createHealthServer } from "../manager/health-server.ts";
import { createManager } from "../manager/create-manager.ts";
import type { Manager } from "../manager/manager.ts";
import { addProcessMetrics, createLog, createMetrics, noTracer, tracerFromEnvironment } from "@gatewright/telemetry";
import type { Log, LogLevel, MetricsRegistry, Tracer } from "@gatewright/telemetry";
import type { LoadOptions } from "../transport/config/load-transport-config.ts";
import { loadTransport } from "../transport/load-transport.ts";
import type { TransportConfig } from "../transport/transport-config.ts";

export interface OperatorOptions {
  /** In logs, metrics and traces, as user agent and as reporter of events. */
  readonly name: string;
  /** Which cluster. Default: the one that kubectl would use, or that the pod is in. */
  readonly cluster?: LoadOptions;
  /** Without it every process that runs does all the work. It is renewed by a thread of its own. */
  readonly lease?: LeaseOptions;
  /** Where `/livez`, `/readyz` and `/metrics` are served. Default: nowhere. */
  readonly health?: { readonly port: number; readonly host?: string };
  readonly log?: { readonly level?: LogLevel; readonly format?: "json" | "text" };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The source of the thread that renews the lease, for programs that are one file. Default: this package's. */
  readonly leaseThread?: URL;
}

/** What the process is made of, for what `setUp` makes beside controllers. */
export interface OperatorParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What `/metrics` tells. */
  readonly metrics: MetricsRegistry;
  /** Traces nothing where the environment names no collector. */
  readonly tracer: Tracer;
  /** How the API server is reached, and as whom. */
  readonly cluster: TransportConfig;
}

/** How long spans have to leave when the process ends. */
const FLUSH_MS = 5_000;

/**
 * A whole operator process: connects to the cluster, lets `setUp` add controllers, and runs them until the signal aborts, with logs
 * on standard output, metrics, health, and traces when the environment names a collector. Everything it puts together can be had
 * one by one for a process that wants it otherwise. The process does not end while this runs, though the API server is away.
 */
export async function runOperator(
  options: OperatorOptions,
  setUp: (manager: Manager, parts: OperatorParts) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { name, lease, health, env = process.env } = options;
  using _alive = keepAlive();
  // The clock that the thread of the lease reads, too.
  const [clock, random] = [processClock, systemRandom];
  const log = createLog({ write: (line) => void process.stdout.write(line), clock, ...options.log });
  const metrics = createMetrics();
  addProcessMetrics(metrics, systemProcessStats());
  const tracer = tracerFromEnvironment(env, { serviceName: name, clock, random, log });
  const { transport, config } = await loadTransport({ env, ...options.cluster });
  const elector =
    lease &&
    createThreadedElector(lease, {
      transport: config,
      log,
      changed: slowPathMetric(metrics, lease.name),
      ...(options.leaseThread !== undefined && { source: options.leaseThread }),
    });
  const manager = createManager({
    name,
    transport,
    clock,
    random,
    log,
    metrics,
    tracer: tracer ?? noTracer,
    ...(lease !== undefined && { lease }),
    ...(elector !== undefined && { elector }),
  });
  if (health !== undefined) manager.addRunnable(createHealthServer({ manager, metrics, ...health }));
  try {
    await setUp(manager, { clock, random, log, metrics, tracer: tracer ?? noTracer, cluster: config });
    await manager.run(signal);
  } finally {
    using limit = deadline(clock, FLUSH_MS);
    await tracer?.flush(limit.signal);
    transport.close();
  }
}
