import type { Clock } from "@gatewright/ports";
import type { TableVersion } from "./record-table.ts";

/** What is the same for all tables of a state: how long the past is kept, and the moment that is looked at now, if one is. */
export class PastView {
  clock: Clock | undefined;
  keptFor = 0;
  moment: number | undefined;

  keep(clock: Clock, milliseconds: number): void {
    this.clock = clock;
    this.keptFor = Math.max(this.keptFor, milliseconds);
  }

  asOf<T>(moment: number, read: () => T): T {
    const before = this.moment;
    this.moment = moment;
    try {
      return read();
    } finally {
      this.moment = before;
    }
  }
}

/** Versions that a table had, the oldest first, each with the moment at which another took its place. */
export class TablePast {
  readonly #view: PastView;
  #versions: { readonly until: number; readonly version: TableVersion }[] = [];

  constructor(view: PastView) {
    this.#view = view;
  }

  /** Says that a version is about to be replaced. Of several at one moment the first is what was there before it. */
  keep(version: TableVersion): void {
    const { clock, keptFor } = this.#view;
    if (clock === undefined || keptFor === 0) return;
    const now = clock.now();
    if (this.#versions.at(-1)?.until === now) return;
    const first = this.#versions.findIndex(({ until }) => until > now - keptFor);
    this.#versions = [...(first === -1 ? [] : this.#versions.slice(first)), { until: now, version }];
  }

  rewrite(change: (version: TableVersion) => TableVersion): void {
    this.#versions = this.#versions.map(({ until, version }) => ({ until, version: change(version) }));
  }

  /** The version of the moment that is looked at; undefined when it is the present one. */
  shown(): TableVersion | undefined {
    const { moment } = this.#view;
    return moment === undefined ? undefined : this.#versions.find(({ until }) => until > moment)?.version;
  }
}
