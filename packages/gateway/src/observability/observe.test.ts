import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createMetrics, createTracer, quietLog } from "@gatewright/telemetry";
import type { ExportingTracer } from "@gatewright/telemetry";
import type { CallRecord } from "../pipeline/observer.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { observe } from "./observe.ts";
import { madeRecord } from "./testing/made-record.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const { signal } = new AbortController();

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
}

function watching(ratio = 1) {
  const clock = new ManualClock();
  const sent: SentSpan[] = [];
  const tracer: ExportingTracer = createTracer({
    endpoint: "http://collector/v1/traces",
    serviceName: "edge",
    ratio,
    clock,
    random: seededRandom(1),
    send: async ({ body }) => {
      sent.push(
        ...(JSON.parse(body) as SentBody).resourceSpans.flatMap((one) => one.scopeSpans).flatMap((one) => one.spans),
      );
      return { status: 200 };
    },
  });
  const metrics = new GatewayMetrics(createMetrics(), clock, false);
  return { observer: observe({ log: quietLog, accessLog: undefined, metrics, tracer }), tracer, sent };
}

interface SentBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
}

/** Lets the request begin; gives what the backend is told. */
function begun(observer: ReturnType<typeof observe>, record: CallRecord): string | undefined {
  if (record.call !== undefined) observer.started(record.call);
  return record.exchange.head.fields.get("traceparent");
}

test("a client's trace goes on through the gateway to the backend", async () => {
  const { observer, tracer, sent } = watching();
  const record = madeRecord({ route: "APIRoute default/a", fields: { traceparent: `00-${TRACE}-${PARENT}-01` } });
  const told = begun(observer, record);
  assert.match(told ?? "", new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-01$`));
  observer.ended({ ...record, status: 503, origin: "no_healthy_endpoint" });
  await tracer.flush(signal);
  assert.equal(sent.length, 1);
  assert.deepEqual([sent[0]?.traceId, sent[0]?.parentSpanId], [TRACE, PARENT]);
  assert.match(JSON.stringify(sent[0]?.status), /no_healthy_endpoint/);
});

test("requests without a trace begin one", () => {
  const { observer } = watching();
  assert.match(begun(observer, madeRecord({ route: "r" })) ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
});

test("a trace that nobody records is passed on as it is, and what is no trace is replaced", async () => {
  const { observer, tracer, sent } = watching();
  const unrecorded = madeRecord({ route: "r", fields: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  assert.equal(begun(observer, unrecorded), `00-${TRACE}-${PARENT}-00`);
  observer.ended(unrecorded);
  await tracer.flush(signal);
  assert.deepEqual(sent, []);
  const strange = madeRecord({ route: "r", fields: { traceparent: "00-zz" } });
  assert.match(begun(observer, strange) ?? "", /^00-[0-9a-f]{32}-/);
});

test("only a share of requests begins a trace", () => {
  const { observer } = watching(0);
  assert.equal(begun(observer, madeRecord({ route: "r" })), undefined);
});
