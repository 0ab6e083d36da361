import type { Log, Span, Tracer } from "@gatewright/telemetry";
import type { Call } from "../pipeline/call.ts";
import type { Observer } from "../pipeline/observer.ts";
import type { AccessLog } from "./access-log.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";

/** Who is told of requests. What is undefined is not asked for. */
export interface Watchers {
  readonly log: Log;
  readonly accessLog: AccessLog | undefined;
  readonly metrics: GatewayMetrics;
  readonly tracer: Tracer | undefined;
}

/** Tells logs, metrics and traces of requests. */
export function observe({ log, accessLog, metrics, tracer }: Watchers): Observer {
  const spans = tracer === undefined ? undefined : new WeakMap<Call, Span>();
  return {
    started(call) {
      if (tracer === undefined || spans === undefined) return;
      const { fields, method, authority } = call.head;
      const attributes = { "http.request.method": method, "server.address": authority, "http.route": call.route.id };
      const span = tracer.start(`${method} ${call.route.id}`, attributes, fields.get("traceparent"));
      if (span.traceparent === undefined) return;
      fields.set("traceparent", span.traceparent);
      spans.set(call, span);
    },
    ended(record) {
      metrics.ended(record);
      accessLog?.tell(record);
      const { call, status, origin, failure } = record;
      const span = call === undefined ? undefined : spans?.get(call);
      if (span === undefined) return;
      span.set({
        "http.response.status_code": status,
        ...(call !== undefined && { "gatewright.backend": call.trail.backend }),
      });
      span.end(status >= 500 || failure !== undefined ? (failure ?? origin ?? `status ${status}`) : undefined);
    },
    fault(where, error) {
      metrics.fault();
      log.error("A request could not be handled", { where, error });
    },
  };
}
