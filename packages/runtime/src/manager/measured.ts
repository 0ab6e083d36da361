import type { Clock } from "@gatewright/ports";
import { REQUEST_METRICS } from "../telemetry/metric-definitions.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Transport } from "../transport/transport.ts";

/** Which server it was: a transport knows it, a metric need not, since a process has one. */
const HOST = "apiserver";

/**
 * Counts requests by the code of their answer (`<error>` for none), and measures how long the answer took to begin; for a watch that
 * is not how long it lasted. Put it below retries, so that every try counts.
 */
export function measured(transport: Transport, metrics: Metrics, clock: Clock): Transport {
  const total = metrics.counter(REQUEST_METRICS.total);
  const seconds = metrics.histogram(REQUEST_METRICS.seconds);
  return async (request) => {
    const { method } = request;
    const begun = clock.monotonic();
    let code = "<error>";
    try {
      const response = await transport(request);
      code = String(response.status);
      return response;
    } finally {
      total.inc([code, method, HOST]);
      seconds.observe((clock.monotonic() - begun) / 1000, [method, HOST]);
    }
  };
}
