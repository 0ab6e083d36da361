import type { Clock } from "@gatewright/ports";
import type { Counter, Histogram, MetricsRegistry } from "@gatewright/telemetry";
import type { CallRecord } from "../pipeline/observer.ts";
import { GATEWAY_METRICS } from "./metric-definitions.ts";

/** What is read at each scrape. */
export interface GatewayState {
  readonly active: () => number;
  readonly connections: () => readonly { readonly name: string; readonly connections: number }[];
  readonly objects: () => readonly { readonly kind: string }[];
  readonly refusedObjects: () => number;
  readonly unhealthyEndpoints: () => number;
}

const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);

/**
 * What a gateway counts. The number of series does not depend on routes, hosts or clients, unless routes are asked for.
 */
export class GatewayMetrics {
  readonly #requests: Counter;
  readonly #seconds: Histogram;
  readonly #local: Counter;
  readonly #broken: Counter;
  readonly #retries: Counter;
  readonly #faults: Counter;
  readonly #refused: Counter;
  readonly #perRoute: boolean;
  readonly #recent: RecentRequests;

  constructor(metrics: MetricsRegistry, clock: Clock, perRoute: boolean) {
    const route = perRoute ? ["route"] : [];
    this.#perRoute = perRoute;
    this.#recent = new RecentRequests(clock);
    const labelled = <T extends { readonly labels: readonly string[] }>(definition: T) => ({
      ...definition,
      labels: [...definition.labels, ...route],
    });
    this.#requests = metrics.counter(labelled(GATEWAY_METRICS.requests));
    this.#seconds = metrics.histogram(labelled(GATEWAY_METRICS.seconds));
    this.#local = metrics.counter(GATEWAY_METRICS.localAnswers);
    this.#broken = metrics.counter(GATEWAY_METRICS.brokenOff);
    this.#retries = metrics.counter(GATEWAY_METRICS.retries);
    this.#faults = metrics.counter(GATEWAY_METRICS.faults);
    this.#refused = metrics.counter(GATEWAY_METRICS.refusedConnections);
  }

  ended({ exchange, call, status, origin, failure, tookMs }: CallRecord): void {
    const { method } = exchange.head;
    const route = this.#perRoute ? [call?.route.id ?? ""] : [];
    const known = KNOWN_METHODS.has(method) ? method : "OTHER";
    this.#requests.inc([exchange.listener, known, `${Math.floor(status / 100)}xx`, ...route]);
    this.#seconds.observe(tookMs / 1000, [exchange.listener, ...route]);
    if (origin !== undefined) this.#local.inc([origin]);
    if (failure !== undefined) this.#broken.inc([failure]);
    if (call !== undefined && call.trail.attempts > 1) this.#retries.inc([], call.trail.attempts - 1);
    this.#recent.ended(status);
  }

  fault(): void {
    this.#faults.inc();
  }

  refused(listener: string, reason: string): void {
    this.#refused.inc([listener, reason]);
  }

  /** Of the last minute: requests a second, and the share of them that failed with 5xx. */
  rates(): { readonly requestsPerSecond: number; readonly errorRate: number } {
    return this.#recent.rates();
  }

  /** Adds what is read from the gateway at each scrape. */
  static watch(metrics: MetricsRegistry, state: GatewayState): void {
    metrics.gauge(GATEWAY_METRICS.active).from(state.active);
    metrics.sampled({ ...GATEWAY_METRICS.connections, type: "gauge" }, () =>
      state.connections().map(({ name, connections }) => ({ labels: [name], value: connections })),
    );
    metrics.sampled({ ...GATEWAY_METRICS.objects, type: "gauge" }, () => {
      const counts = new Map<string, number>();
      for (const { kind } of state.objects()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return Array.from(counts, ([kind, value]) => ({ labels: [kind], value }));
    });
    metrics.gauge(GATEWAY_METRICS.refusedObjects).from(state.refusedObjects);
    metrics.gauge(GATEWAY_METRICS.unhealthy).from(state.unhealthyEndpoints);
  }
}

/** Counts of the last minute, in seconds. */
class RecentRequests {
  readonly #clock: Clock;
  readonly #all = new Uint32Array(60);
  readonly #failed = new Uint32Array(60);
  #second = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ended(status: number): void {
    const at = this.#now();
    this.#all[at] = (this.#all[at] ?? 0) + 1;
    if (status >= 500) this.#failed[at] = (this.#failed[at] ?? 0) + 1;
  }

  rates(): { requestsPerSecond: number; errorRate: number } {
    this.#now();
    const all = this.#all.reduce((sum, one) => sum + one, 0);
    const failed = this.#failed.reduce((sum, one) => sum + one, 0);
    return { requestsPerSecond: all / 60, errorRate: all === 0 ? 0 : failed / all };
  }

  #now(): number {
    const second = Math.floor(this.#clock.monotonic() / 1000);
    for (let gone = Math.max(this.#second + 1, second - 59); gone <= second; gone++) {
      this.#all[gone % 60] = 0;
      this.#failed[gone % 60] = 0;
    }
    this.#second = second;
    return second % 60;
  }
}
