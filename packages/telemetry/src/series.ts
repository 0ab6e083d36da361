import type { LabelValues, MetricOptions } from "./metrics.ts";

/**
 * The values of one metric, by their labels. Holds at most `limit` of them: label values that come from outside must not fill the
 * memory, so what comes after is refused and counted by the caller.
 */
export class Series<V> {
  readonly #name: string;
  readonly #width: number;
  readonly #limit: number;
  readonly #make: () => V;
  readonly #refused: () => void;
  readonly #values = new Map<string, { readonly labels: LabelValues; readonly value: V }>();

  constructor(options: MetricOptions, limit: number, make: () => V, refused: () => void) {
    this.#name = options.name;
    this.#width = options.labels?.length ?? 0;
    this.#limit = limit;
    this.#make = make;
    this.#refused = refused;
    if (this.#width === 0) this.at([]);
    for (const labels of options.present ?? []) this.at(labels);
  }

  /** The value with these labels, made when there is none; undefined when there are too many already. */
  at(labels: LabelValues): V | undefined {
    const key = labels.length === 1 ? labels[0]! : JSON.stringify(labels);
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    if (labels.length !== this.#width) {
      throw new TypeError(`metric ${this.#name} has ${this.#width} labels, not ${labels.length}`);
    }
    if (this.#values.size >= this.#limit) {
      this.#refused();
      return undefined;
    }
    const value = this.#make();
    this.#values.set(key, { labels: [...labels], value });
    return value;
  }

  entries(): Iterable<{ readonly labels: LabelValues; readonly value: V }> {
    return this.#values.values();
  }
}
