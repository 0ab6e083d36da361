import { currentSpan } from "@gatewright/telemetry";
import type { Transport } from "../transport/transport.ts";

/**
 * A transport whose requests are pieces of the span that they are made within, and carry its `traceparent`: an API server that traces
 * goes on with it. What is asked outside of any span is passed on as it is.
 */
export function traced(transport: Transport): Transport {
  return async (request) => {
    const { method, path } = request;
    const span = currentSpan()?.child(method, {
      "http.request.method": method,
      "url.path": path.split("?", 1)[0] ?? "",
    });
    if (span?.traceparent === undefined) return transport(request);
    try {
      const response = await transport({ ...request, headers: { ...request.headers, traceparent: span.traceparent } });
      span.set({ "http.response.status_code": response.status });
      span.end();
      return response;
    } catch (error) {
      span.end(error);
      throw error;
    }
  };
}
