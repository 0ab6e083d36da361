import { aborted, deadline, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log } from "./log.ts";
import { otlpBody } from "./otlp.ts";
import type { EndedSpan } from "./otlp.ts";
import type { Post } from "./post.ts";
import type { SpanAttributes } from "./tracer.ts";

export interface SpanExporterOptions {
  /** Where spans are posted: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resource: SpanAttributes;
  readonly clock: Clock;
  readonly send: Post;
  readonly log: Log;
}

/** Sends spans in batches, behind the back of those who end them. */
export interface SpanExporter {
  add(span: EndedSpan): void;
  /** Sends what is left. Resolves when it is sent or given up, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
  /** Spans that were given up: too many waited, or the collector did not take them. */
  readonly dropped: number;
}

const MAX_WAITING = 2048;
const MAX_BATCH = 512;
const DELAY_MS = 5000;
const SEND_MS = 10_000;
const TRIES = 5;
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Holds 2048 spans at most; more are dropped and counted. A batch leaves five seconds after its first span, or with 512. A
 * collector that is away is tried five times with growing pauses. Nothing runs while there are no spans.
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { endpoint, headers = {}, resource, clock, send, log } = options;
  const waiting: EndedSpan[] = [];
  let dropped = 0;
  let cancel: (() => void) | undefined;
  let sending: Promise<void> | undefined;

  const post = async (
    body: string,
  ): Promise<{ readonly done: boolean; readonly afterMs?: number; readonly problem?: unknown }> => {
    using limit = deadline(clock, SEND_MS);
    try {
      const all = { "content-type": "application/json", ...headers };
      const { status, retryAfterMs } = await send({ url: endpoint, headers: all, body, signal: limit.signal });
      if (status >= 200 && status < 300) return { done: true };
      const again = RETRYABLE.has(status) ? { done: false } : { done: false, afterMs: Number.POSITIVE_INFINITY };
      return {
        ...again,
        ...(RETRYABLE.has(status) && retryAfterMs !== undefined && { afterMs: retryAfterMs }),
        problem: status,
      };
    } catch (error) {
      return { done: false, problem: error };
    }
  };

  const sendBatch = async (batch: readonly EndedSpan[]): Promise<void> => {
    const body = otlpBody(resource, batch);
    for (let attempt = 1; ; attempt++) {
      const { done, afterMs = 1000 * 2 ** (attempt - 1), problem } = await post(body);
      if (done) return;
      if (attempt >= TRIES || afterMs === Number.POSITIVE_INFINITY) {
        dropped += batch.length;
        log.warn("Spans not taken by the collector", { spans: batch.length, problem });
        return;
      }
      await sleep(clock, afterMs);
    }
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await sendBatch(waiting.splice(0, MAX_BATCH));
    sending = undefined;
  };

  const begin = (): void => {
    cancel?.();
    cancel = undefined;
    if (waiting.length > 0) sending ??= drain();
  };

  return {
    add(span) {
      if (waiting.length >= MAX_WAITING) {
        dropped++;
        return;
      }
      waiting.push(span);
      if (waiting.length >= MAX_BATCH) begin();
      else if (sending === undefined) cancel ??= clock.timer(DELAY_MS, begin);
    },
    async flush(signal) {
      begin();
      await Promise.race([sending ?? Promise.resolve(), aborted(signal)]);
    },
    get dropped() {
      return dropped;
    },
  };
}
