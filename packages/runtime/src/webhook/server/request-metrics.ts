import type { Clock } from "@gatewright/ports";
import { WEBHOOK_METRICS } from "../../telemetry/metric-definitions.ts";
import type { Metrics } from "@gatewright/telemetry";

/** Counts the requests of webhooks. Paths that nobody serves are not counted: their names would come from outside. */
export class RequestMetrics {
  readonly #clock: Clock;
  readonly #metrics: Metrics | undefined;
  readonly #inFlight = new Map<string, number>();

  constructor(clock: Clock, metrics: Metrics | undefined, paths: readonly string[]) {
    this.#clock = clock;
    this.#metrics = metrics;
    const present = paths.flatMap((path) => ["200", "500"].map((code) => [path, code]));
    metrics?.counter({ ...WEBHOOK_METRICS.requests, present });
    const gauge = metrics?.gauge(WEBHOOK_METRICS.inFlight);
    for (const path of paths) gauge?.from(() => this.#inFlight.get(path) ?? 0, [path]);
  }

  /** A request begins. Call what this gives when it has been answered; without a code when nobody was there to hear it. */
  begin(path: string): (code?: number) => void {
    const begun = this.#clock.monotonic();
    this.#move(path, 1);
    return (code) => {
      this.#move(path, -1);
      this.#metrics?.histogram(WEBHOOK_METRICS.seconds).observe((this.#clock.monotonic() - begun) / 1000, [path]);
      if (code !== undefined) this.#metrics?.counter(WEBHOOK_METRICS.requests).inc([path, String(code)]);
    };
  }

  #move(path: string, by: number): void {
    this.#inFlight.set(path, (this.#inFlight.get(path) ?? 0) + by);
  }
}
