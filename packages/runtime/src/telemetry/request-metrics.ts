import type { Clock } from "@gatewright/ports";
import type { Transport } from "../transport/transport.ts";
import { REQUEST_METRICS } from "./metric-definitions.ts";
import type { Metrics } from "@gatewright/telemetry";

/**
 * A transport that counts requests by answer and measures how long the answer took to begin. `host` names the server. A request
 * without an answer counts with the code `<error>`, as in client-go.
 */
export function measured(transport: Transport, metrics: Metrics, clock: Clock, host: string): Transport {
  const total = metrics.counter(REQUEST_METRICS.total);
  const seconds = metrics.histogram(REQUEST_METRICS.seconds);
  return async (request) => {
    const begun = clock.monotonic();
    let code = "<error>";
    try {
      const response = await transport(request);
      code = String(response.status);
      return response;
    } finally {
      total.inc([code, request.method, host]);
      seconds.observe((clock.monotonic() - begun) / 1000, [request.method, host]);
    }
  };
}
