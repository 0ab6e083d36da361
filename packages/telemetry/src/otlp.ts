import { redactText } from "./redact.ts";
import type { SpanAttributes } from "./tracer.ts";

/** A span that has ended. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Milliseconds since the Unix epoch, with a fraction. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly error: unknown;
}

/** The JSON body of an OTLP export. */
export function otlpBody(resource: SpanAttributes, spans: readonly EndedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: "gatewright" }, spans: spans.map(spanJson) }],
      },
    ],
  });
}

const INTERNAL = 1;
const STATUS_ERROR = 2;

function spanJson(span: EndedSpan): unknown {
  const failed = span.error !== undefined;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: INTERNAL,
    startTimeUnixNano: nanos(span.startMs),
    endTimeUnixNano: nanos(span.endMs),
    attributes: keyValues(span.attributes),
    status: failed ? { code: STATUS_ERROR, message: errorText(span.error) } : {},
  };
}

function errorText(error: unknown): string {
  return redactText(error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 1024);
}

/** 64-bit numbers are texts in OTLP's JSON. */
function nanos(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.floor((ms - whole) * 1e6)));
}

function keyValues(attributes: SpanAttributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean): unknown {
  if (typeof value === "string") return { stringValue: redactText(value) };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
