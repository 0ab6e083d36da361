export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work with a beginning and an end. */
export interface Span {
  /** A piece of this one. */
  child(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Ends it, as failed when there is an error. Later calls do nothing. */
  end(error?: unknown): void;
  /** The W3C `traceparent` by which another system goes on with this trace; undefined when nothing is traced. */
  readonly traceparent: string | undefined;
}

/** Begins traces. */
export interface Tracer {
  /** `from`: the `traceparent` of whoever asks; its trace is gone on with, and recorded if it is. What is none begins a trace. */
  start(name: string, attributes?: SpanAttributes, from?: string): Span;
}

const noSpan: Span = { child: () => noSpan, set() {}, end() {}, traceparent: undefined };

/** Traces nothing: the tracer of processes without a collector. */
export const noTracer: Tracer = { start: () => noSpan };
