import type { LabelValues, MetricOptions } from "./metrics.ts";

export type MetricType = "counter" | "gauge" | "histogram";

/** One line of a scrape: the family's name with a suffix, its labels and a number. */
export interface Line {
  readonly suffix: "" | "_bucket" | "_sum" | "_count";
  readonly labels: LabelValues;
  /** The upper bound of a bucket. */
  readonly le?: number;
  readonly value: number;
}

/** A metric of any type, as a scrape reads it. */
export interface MetricFamily {
  readonly type: MetricType;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  lines(): Iterable<Line>;
}

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Refuses names that a scrape would choke on, while they are still a mistake in the program. */
export function checkMetricNames({ name, labels = [] }: MetricOptions): void {
  if (!METRIC_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of a metric`);
  for (const label of labels) {
    if (!LABEL_NAME.test(label) || label === "le") {
      throw new TypeError(`${JSON.stringify(label)} is no name of a label (metric ${name})`);
    }
  }
}
