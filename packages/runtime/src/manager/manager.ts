import type { ApiObject } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { Cache } from "../cache/informer.ts";
import type { Client } from "../client/client.ts";
import type { ControllerDefinition } from "../controller/definition.ts";
import type { LeaseOptions } from "../lease/elector.ts";
import type { Log } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/tracer.ts";
import type { Transport } from "../transport/transport.ts";

/** Work that lives as long as the manager. `leading`: only while this process holds the lease. */
export interface Runnable {
  readonly name: string;
  readonly when: "always" | "leading";
  run(signal: AbortSignal): Promise<void>;
}

/** A fact that readiness or liveness depends on. */
export interface HealthCheck {
  readonly name: string;
  /** `live`: a restart would help. `ready`: others should wait. */
  readonly for: "live" | "ready";
  /** What is wrong, or undefined. */
  problem(): string | undefined;
}

export interface ManagerOptions {
  /** The process's name: user agent, event reporter, default field manager. */
  readonly name: string;
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly tracer?: Tracer;
  /** Without it the process always leads. */
  readonly lease?: LeaseOptions;
  /** How long running reconciles have to end. Default: 30 s. */
  readonly graceMs?: number;
}

/** Runs controllers: caches first, then the lease, then workers; and ends them in the opposite order, the lease last. */
export interface Manager {
  /** Gated by the lease; what it writes is seen by the cache at once. */
  readonly client: Client;
  readonly cache: Cache;
  add<T extends ApiObject>(controller: ControllerDefinition<T>): void;
  addRunnable(runnable: Runnable): void;
  addCheck(check: HealthCheck): void;
  /** Until the signal aborts. Rejects only for what a restart would not mend: a wrong definition, two controllers of one name. */
  run(signal: AbortSignal): Promise<void>;
  health(kind: "live" | "ready"): readonly { readonly name: string; readonly problem: string | undefined }[];
}
