import type { Clock } from "@gatewright/ports";
import type { Counter, Histogram, MetricsRegistry } from "@gatewright/telemetry";
import type { CallRecord } from "../pipeline/observer.ts";

/** What is read at each scrape. */
export interface GatewayState {
  readonly active: () => number;
  readonly connections: () => readonly { readonly name: string; readonly connections: number }[];
  readonly objects: () => readonly { readonly kind: string }[];
  readonly refusedObjects: () => number;
  readonly unhealthyEndpoints: () => number;
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
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
    this.#requests = metrics.counter({
      name: "gatewright_gateway_requests_total",
      help: "Requests that were answered, by listener, method and class of status.",
      labels: ["listener", "method", "code", ...route],
    });
    this.#seconds = metrics.histogram({
      name: "gatewright_gateway_request_duration_seconds",
      help: "From the head of a request to the end of its answer.",
      labels: ["listener", ...route],
      buckets: BUCKETS,
    });
    this.#local = metrics.counter({
      name: "gatewright_gateway_local_answers_total",
      help: "Answers that the gateway made itself, by why.",
      labels: ["reason"],
    });
    this.#broken = metrics.counter({
      name: "gatewright_gateway_answers_broken_off_total",
      help: "Answers that did not reach their client whole, by why.",
      labels: ["reason"],
    });
    this.#retries = metrics.counter({
      name: "gatewright_gateway_retries_total",
      help: "Attempts after the first.",
    });
    this.#faults = metrics.counter({ name: "gatewright_gateway_faults_total", help: "Faults of the gateway itself." });
    this.#refused = metrics.counter({
      name: "gatewright_gateway_connections_refused_total",
      help: "Connections and heads that never became requests, by why.",
      labels: ["listener", "reason"],
    });
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
    metrics.gauge({ name: "gatewright_gateway_requests_active", help: "Requests under way." }).from(state.active);
    metrics.sampled(
      {
        name: "gatewright_gateway_connections",
        help: "Open connections of clients.",
        labels: ["listener"],
        type: "gauge",
      },
      () => state.connections().map(({ name, connections }) => ({ labels: [name], value: connections })),
    );
    metrics.sampled(
      { name: "gatewright_gateway_objects", help: "Objects that are configured.", labels: ["kind"], type: "gauge" },
      () => {
        const counts = new Map<string, number>();
        for (const { kind } of state.objects()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        return Array.from(counts, ([kind, value]) => ({ labels: [kind], value }));
      },
    );
    metrics
      .gauge({
        name: "gatewright_gateway_objects_refused",
        help: "Objects that are left out, or serve as they were before.",
      })
      .from(state.refusedObjects);
    metrics
      .gauge({ name: "gatewright_gateway_endpoints_unhealthy", help: "Endpoints of backends that get no requests." })
      .from(state.unhealthyEndpoints);
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
