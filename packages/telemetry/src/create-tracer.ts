import type { Clock, Random } from "@gatewright/ports";
import { quietLog } from "./log.ts";
import type { Log } from "./log.ts";
import { postOverHttp } from "./post.ts";
import type { Post } from "./post.ts";
import { createSpanExporter } from "./span-exporter.ts";
import type { SpanExporter } from "./span-exporter.ts";
import { noTracer } from "./tracer.ts";
import type { Span, SpanAttributes, Tracer } from "./tracer.ts";

export interface TracerOptions {
  /** Where spans are posted, the path included: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** More facts of this process. */
  readonly resource?: SpanAttributes;
  /** Sent with every batch; may hold credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Which share of traces is recorded. Default: 1. */
  readonly ratio?: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Default: over HTTP. */
  readonly send?: Post;
  readonly log?: Log;
}

/** What another system says of its trace, by W3C's rules; all zeros mean none. */
const TRACEPARENT = /^00-(?<trace>(?!0{32})[\da-f]{32})-(?<span>(?!0{16})[\da-f]{16})-(?<flags>[\da-f]{2})$/u;

/** A tracer whose spans leave in batches. */
export type ExportingTracer = Tracer & Pick<SpanExporter, "flush" | "dropped">;

/** A tracer that sends spans to a collector as OTLP over HTTP in JSON. Neither starting nor ending a span waits or throws. */
export function createTracer(options: TracerOptions): ExportingTracer {
  const {
    endpoint,
    serviceName,
    resource = {},
    headers,
    ratio = 1,
    clock,
    random,
    send = postOverHttp,
    log = quietLog,
  } = options;
  const exporter = createSpanExporter({
    endpoint,
    resource: { ...resource, "service.name": serviceName },
    clock,
    send,
    log,
    ...(headers !== undefined && { headers }),
  });

  const begin = (traceId: string, parentSpanId: string | undefined, name: string, given: SpanAttributes = {}): Span => {
    const spanId = hex(random, 8);
    const startMs = clock.now();
    const startedAt = clock.monotonic();
    let attributes = given;
    let ended = false;
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      child: (childName, childAttributes) => begin(traceId, spanId, childName, childAttributes),
      set(more) {
        attributes = { ...attributes, ...more };
      },
      end(error) {
        if (ended) return;
        ended = true;
        const endMs = startMs + clock.monotonic() - startedAt;
        exporter.add({ traceId, spanId, parentSpanId, name, startMs, endMs, attributes, error });
      },
    };
  };

  return {
    start(name, attributes, from) {
      const parent = from === undefined ? undefined : TRACEPARENT.exec(from)?.groups;
      if (parent !== undefined) {
        const { trace = "", span = "", flags = "" } = parent;
        const isRecorded = (Number.parseInt(flags, 16) & 1) === 1;
        return isRecorded ? begin(trace, span, name, attributes) : noTracer.start(name);
      }
      const traceId = hex(random, 16);
      const drawn = Number.parseInt(traceId.slice(-12), 16) / 2 ** 48;
      return drawn < ratio ? begin(traceId, undefined, name, attributes) : noTracer.start(name);
    },
    flush: (signal) => exporter.flush(signal),
    get dropped() {
      return exporter.dropped;
    },
  };
}

/** Never all zeros, which would mean none. */
function hex(random: Random, bytes: number): string {
  const text = Buffer.from(random.bytes(bytes)).toString("hex");
  return /^0+$/.test(text) ? text.replace(/0$/, "1") : text;
}
