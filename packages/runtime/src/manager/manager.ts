import type { ApiObject } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { Cache } from "../cache/informer.ts";
import type { Client } from "../client/client.ts";
import type { ControllerDefinition } from "../controller/definition.ts";
import type { Elector, LeaseOptions } from "../lease/elector.ts";
import type { WriteGate } from "../lease/write-gate.ts";
import type { Log, Metrics, Tracer } from "@gatewright/telemetry";
import type { Transport } from "../transport/transport.ts";

/**
 * Work that lives as long as the manager. `always`: begins before the caches, since caches may need it (conversion webhooks).
 * `leading`: once in each term in which this process holds the lease.
 */
export interface Runnable {
  readonly name: string;
  readonly when: "always" | "leading";
  /** Until the signal aborts, or until there is nothing left to do. If it throws it is started again with backoff. */
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
  /**
   * Instead of the elector that `lease` makes on this thread: one on a thread of its own, which survives stalls of this one. The
   * manager's clock must be the elector's: `processClock` for a threaded one.
   */
  readonly elector?: Elector;
  /** Whether `run` rejects with `LeaseLostError` when the lease is lost. Default: false, the process follows and tries again. */
  readonly exitOnLeaseLoss?: boolean;
  /** How long running reconciles have to end. Default: 30 s. */
  readonly graceMs?: number;
}

/** Runs controllers: caches first, then the lease, then workers; and ends them in the opposite order, the lease last. */
export interface Manager {
  /** Gated by the lease; what it writes is seen by the cache at once. */
  readonly client: Client;
  /** Not held back by the lease: for what every process does for itself, such as its certificates. */
  readonly ungated: Client;
  /** What holds `client` back, for writes that go elsewhere than to the API server. Open for ever when there is no lease. */
  readonly gate: WriteGate;
  readonly cache: Cache;
  /** Before or after the start. */
  add<T extends ApiObject>(controller: ControllerDefinition<T>): void;
  addRunnable(runnable: Runnable): void;
  addCheck(check: HealthCheck): void;
  /**
   * Until the signal aborts. Rejects only for what a restart would not mend: a wrong definition, two controllers of one name. Does
   * not keep the process alive while the API server is away: `runOperator` does, and `keepAlive` of `@gatewright/ports`.
   */
  run(signal: AbortSignal): Promise<void>;
  health(kind: "live" | "ready"): readonly { readonly name: string; readonly problem: string | undefined }[];
}
