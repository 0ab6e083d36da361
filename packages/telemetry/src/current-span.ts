import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./tracer.ts";

const storage = new AsyncLocalStorage<Span>();

/** Runs something as a piece of a span: whoever it calls finds the span by {@link currentSpan}. Costs nothing where nothing is traced. */
export function withinSpan<T>(span: Span, run: () => T): T {
  return span.traceparent === undefined ? run() : storage.run(span, run);
}

/** The span that this is a piece of; undefined when there is none. */
export function currentSpan(): Span | undefined {
  return storage.getStore();
}
