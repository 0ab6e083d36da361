/** Remembers what was told of each subject, so that it is told once and not with each change. */
export class ToldOnce {
  readonly #told = new Map<string, ReadonlySet<string>>();

  /** These are all there is to tell of the subject now. Those are given that were not there the last time. */
  fresh<T>(subject: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
    const before = this.#told.get(subject);
    if (all.length === 0) {
      this.#told.delete(subject);
      return all;
    }
    this.#told.set(subject, new Set(all.map(textOf)));
    return before === undefined ? all : all.filter((one) => !before.has(textOf(one)));
  }
}
