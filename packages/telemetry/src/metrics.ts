/** Values of a metric's labels, in the order of their names. */
export type LabelValues = readonly string[];

/** Only rises. */
export interface Counter {
  inc(labels?: LabelValues, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: LabelValues): void;
  /** Read at each scrape instead of being set. */
  from(read: () => number, labels?: LabelValues): void;
}

export interface Histogram {
  observe(value: number, labels?: LabelValues): void;
}

export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  /** Names of its labels. */
  readonly labels?: readonly string[];
  /** Label values that are there, at zero, before anything happened: rates are right from the first scrape on. */
  readonly present?: readonly LabelValues[];
}

/** Makes metrics. Asking again for one of the same name gives the same one. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: MetricOptions & { readonly buckets: readonly number[] }): Histogram;
}

/** One value of a metric that is read at each scrape. */
export interface Sample {
  readonly labels: LabelValues;
  readonly value: number;
}

/** What a scrape is answered with. */
export interface Exposition {
  readonly contentType: string;
  readonly body: string;
}

/** Metrics that can be read: what `/metrics` serves. */
export interface MetricsRegistry extends Metrics {
  /** A metric whose values somebody else keeps: `read` is called at each scrape. A read that throws leaves the metric out. */
  sampled(options: MetricOptions & { readonly type: "counter" | "gauge" }, read: () => Iterable<Sample>): void;
  /** All values, as OpenMetrics when the `Accept` header prefers it and in the Prometheus text format otherwise. */
  exposition(accept?: string): Exposition;
}
