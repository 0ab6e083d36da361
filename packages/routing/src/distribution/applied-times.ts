/** How many are remembered; older ones are told by when it all began. */
const MOST = 64;

/** When which revision was acknowledged, as far as that is worth remembering. */
export class AppliedTimes {
  readonly #began: number;
  readonly #times: { readonly revision: number; readonly at: number }[] = [];

  constructor(began: number) {
    this.#began = began;
  }

  add(revision: number, at: number): void {
    if (this.#times.length === MOST) this.#times.shift();
    this.#times.push({ revision, at });
  }

  /** When everything up to a revision was there. */
  of(revision: number): number {
    const [oldest] = this.#times;
    if (oldest === undefined || revision < oldest.revision) return this.#began;
    // Mostly what is new is asked for.
    const before = this.#times.findLastIndex((time) => time.revision < revision);
    return this.#times[before + 1]?.at ?? this.#began;
  }
}
