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
  readonly labels?: readonly string[];
}

/** Makes metrics. Asking again for one of the same name gives the same one. */
export interface Metrics {
  counter(options: MetricOptions): Counter;
  gauge(options: MetricOptions): Gauge;
  histogram(options: MetricOptions & { readonly buckets: readonly number[] }): Histogram;
}
