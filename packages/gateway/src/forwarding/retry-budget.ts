import type { Backend } from "../backends/backend.ts";

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

/** The budgets of all backends, each shared by the routes to it. */
export class RetryBudgets {
  readonly #budgets = new WeakMap<Backend, RetryBudget>();

  of(backend: Backend): RetryBudget {
    const known = this.#budgets.get(backend);
    if (known !== undefined) return known;
    const made = new RetryBudget();
    this.#budgets.set(backend, made);
    return made;
  }
}
