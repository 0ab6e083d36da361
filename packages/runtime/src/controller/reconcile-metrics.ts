import { RECONCILE_METRICS } from "../telemetry/metric-definitions.ts";
import type { Metrics } from "@gatewright/telemetry";
import type { Verdict } from "./verdict.ts";

/** What a controller tells of its runs. */
export interface ReconcileMetrics {
  started(): void;
  ended(verdict: Verdict, ms: number): void;
}

const silence: ReconcileMetrics = { started() {}, ended() {} };

/** The metrics of a controller's runs under controller-runtime's names, there at zero from the start. */
export function reconcileMetrics(
  metrics: Metrics | undefined,
  controller: string,
  concurrency: number,
): ReconcileMetrics {
  if (metrics === undefined) return silence;
  const self = [controller];
  const total = metrics.counter(RECONCILE_METRICS.total);
  for (const result of ["success", "error", "requeue", "requeue_after"]) total.inc([controller, result], 0);
  const errors = metrics.counter(RECONCILE_METRICS.errors);
  const marked = {
    panic: metrics.counter(RECONCILE_METRICS.panics),
    terminal: metrics.counter(RECONCILE_METRICS.terminalErrors),
    timeout: metrics.counter(RECONCILE_METRICS.timeouts),
  };
  for (const counter of [errors, ...Object.values(marked)]) counter.inc(self, 0);
  const seconds = metrics.histogram(RECONCILE_METRICS.seconds);
  let active = 0;
  metrics.gauge(RECONCILE_METRICS.maxConcurrent).set(concurrency, self);
  metrics.gauge(RECONCILE_METRICS.activeWorkers).from(() => active, self);
  return {
    started() {
      active++;
    },
    ended({ result, mark }, ms) {
      active--;
      seconds.observe(ms / 1000, self);
      if (result === undefined) return;
      total.inc([controller, result]);
      if (result === "error") errors.inc(self);
      if (mark !== undefined) marked[mark].inc(self);
    },
  };
}
