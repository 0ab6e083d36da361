import { expose } from "./exposition.ts";
import { checkMetricNames } from "./metric-family.ts";
import type { Line, MetricFamily } from "./metric-family.ts";
import type { Counter, Gauge, Histogram, MetricOptions, MetricsRegistry } from "./metrics.ts";
import { Series } from "./series.ts";

export interface MetricsOptions {
  /** How many combinations of label values a metric may have. Default: 5000. More are dropped and counted. */
  readonly maxSeries?: number;
}

const DROPPED = {
  name: "gatewright_metrics_dropped_total",
  help: "Values that were dropped because their metric has too many combinations of label values already",
  labels: ["metric"],
};

/** A registry with no metrics but its own. */
export function createMetrics({ maxSeries = 5000 }: MetricsOptions = {}): MetricsRegistry {
  const families = new Map<string, { readonly family: MetricFamily; readonly metric: unknown }>();
  const dropped = new Map<string, number>();

  /** The metric of that name, made when there is none. Its type and labels must be what they were. */
  const define = <M>(
    type: MetricFamily["type"],
    options: MetricOptions,
    make: () => { metric: M; lines: () => Iterable<Line> },
  ): M => {
    const { name, help, labels = [] } = options;
    const known = families.get(name);
    if (known !== undefined) {
      if (known.family.type !== type || known.family.labels.join() !== labels.join()) {
        throw new TypeError(`metric ${name} exists already, with another type or other labels`);
      }
      return known.metric as M; // the type is the same, so it was made by the same function
    }
    checkMetricNames(options);
    const { metric, lines } = make();
    families.set(name, { family: { type, name, help, labels, lines }, metric });
    return metric;
  };

  const series = <V>(options: MetricOptions, make: () => V): Series<V> =>
    new Series(options, maxSeries, make, () => dropped.set(options.name, (dropped.get(options.name) ?? 0) + 1));

  const registry: MetricsRegistry = {
    counter: (options) => define("counter", options, () => makeCounter(options, series(options, cell))),
    gauge: (options) => define("gauge", options, () => makeGauge(series(options, gaugeCell))),
    histogram: (options) =>
      define("histogram", options, () => {
        const bounds = checkBuckets(options);
        return makeHistogram(
          bounds,
          series(options, () => bucketCell(bounds)),
        );
      }),
    sampled({ type, ...options }, read) {
      if (families.has(options.name)) throw new TypeError(`metric ${options.name} exists already`);
      define(type, options, () => ({
        metric: undefined,
        lines: () => Array.from(read(), (sample): Line => ({ suffix: "", ...sample })),
      }));
    },
    exposition: (accept) =>
      expose(
        Array.from(families.values(), ({ family }) => family),
        accept,
      ),
  };
  registry.sampled({ ...DROPPED, type: "counter" }, () =>
    Array.from(dropped, ([metric, value]) => ({ labels: [metric], value })),
  );
  return registry;
}

interface Cell {
  value: number;
}

const cell = (): Cell => ({ value: 0 });

function makeCounter({ name }: MetricOptions, series: Series<Cell>): { metric: Counter; lines: () => Iterable<Line> } {
  return {
    metric: {
      inc(labels = [], by = 1) {
        if (!(by >= 0)) throw new RangeError(`counter ${name} only rises, not by ${by}`);
        const at = series.at(labels);
        if (at !== undefined) at.value += by;
      },
    },
    lines: () =>
      Array.from(series.entries(), ({ labels, value }): Line => ({ suffix: "", labels, value: value.value })),
  };
}

interface GaugeCell {
  read: () => number;
}

const gaugeCell = (): GaugeCell => ({ read: () => 0 });

function makeGauge(series: Series<GaugeCell>): { metric: Gauge; lines: () => Iterable<Line> } {
  const from = (read: () => number, labels: readonly string[] = []): void => {
    const at = series.at(labels);
    if (at !== undefined) at.read = read;
  };
  return {
    metric: { set: (value, labels) => from(() => value, labels), from },
    lines: () =>
      Array.from(series.entries(), ({ labels, value }): Line => ({ suffix: "", labels, value: value.read() })),
  };
}

interface BucketCell {
  /** How many values fell into each bucket and no smaller one; the last has no bound. */
  readonly counts: number[];
  sum: number;
}

function bucketCell(bounds: readonly number[]): BucketCell {
  return { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
}

function checkBuckets({
  name,
  buckets,
}: {
  readonly name: string;
  readonly buckets: readonly number[];
}): readonly number[] {
  const bounds = buckets.filter((bound) => bound !== Number.POSITIVE_INFINITY);
  if (bounds.some((bound, index) => index > 0 && !(bound > bounds[index - 1]!))) {
    throw new TypeError(`buckets of metric ${name} do not rise`);
  }
  return bounds;
}

function makeHistogram(
  bounds: readonly number[],
  series: Series<BucketCell>,
): { metric: Histogram; lines: () => Iterable<Line> } {
  return {
    metric: {
      observe(value, labels = []) {
        const at = series.at(labels);
        if (at === undefined) return;
        const bucket = bounds.findIndex((bound) => value <= bound);
        at.counts[bucket < 0 ? bounds.length : bucket]! += 1;
        at.sum += value;
      },
    },
    lines: () => Array.from(series.entries()).flatMap(({ labels, value }) => bucketLines(bounds, labels, value)),
  };
}

function bucketLines(bounds: readonly number[], labels: readonly string[], { counts, sum }: BucketCell): Line[] {
  let below = 0;
  const lines = [...bounds, Number.POSITIVE_INFINITY].map((le, index): Line => {
    below += counts[index]!;
    return { suffix: "_bucket", labels, le, value: below };
  });
  return [...lines, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: below }];
}
