/** Retries that may be under way however few requests there are. */
const ALWAYS = 3;

/**
 * Keeps retries from drowning a backend that is in trouble: of the requests under way to it only so many percent may be retries, and
 * a few always may.
 */
export class RetryBudget {
  #active = 0;
  #retrying = 0;

  get active(): number {
    return this.#active;
  }

  get retrying(): number {
    return this.#retrying;
  }

  began(): void {
    this.#active++;
  }

  ended(): void {
    this.#active--;
  }

  /** True: a retry may begin, and has to be given back. */
  take(percent: number): boolean {
    if (this.#retrying >= Math.max(ALWAYS, (this.#active * percent) / 100)) return false;
    this.#retrying++;
    return true;
  }

  giveBack(): void {
    this.#retrying--;
  }
}
