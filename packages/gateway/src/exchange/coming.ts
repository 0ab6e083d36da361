/** Who waits for something that comes once. Exactly one of the two is told, once. */
export interface Waiting<T> {
  came(value: T): void;
  failed(error: unknown): void;
}

/**
 * A promise that tells one who waits within the call that settles it, without the queue of jobs that promises go through: a request
 * waits several times, and that queue was a good part of what it cost. To everybody else it is a promise, made when they ask.
 */
export class Coming<T> implements Promise<T>, Waiting<T> {
  #outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  #waiting: Waiting<T> | undefined;
  #promise: Promise<T> | undefined;

  get [Symbol.toStringTag](): string {
    return "Coming";
  }

  came(value: T): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { value };
    this.#waiting?.came(value);
  }

  failed(error: unknown): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { error };
    this.#waiting?.failed(error);
  }

  /** Sets who is told: at once when it is known already. */
  tell(waiting: Waiting<T>): void {
    const outcome = this.#outcome;
    const other = this.#waiting;
    if (outcome !== undefined) {
      if ("value" in outcome) waiting.came(outcome.value);
      else waiting.failed(outcome.error);
    } else if (other === undefined) this.#waiting = waiting;
    else this.#waiting = both(other, waiting);
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<A = T, B = never>(
    came?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#asPromise().then(came, failed);
  }

  catch<B = never>(failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#asPromise().catch(failed);
  }

  finally(ended?: (() => void) | null): Promise<T> {
    return this.#asPromise().finally(ended);
  }

  #asPromise(): Promise<T> {
    if (this.#promise !== undefined) return this.#promise;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#promise = promise;
    this.tell({ came: resolve, failed: reject });
    return promise;
  }
}

/** Waits for a promise, the quick way where there is one. */
export function whenSettled<T>(promise: Promise<T>, waiting: Waiting<T>): void {
  if (promise instanceof Coming) promise.tell(waiting);
  else
    promise.then(
      (value) => waiting.came(value),
      (error: unknown) => waiting.failed(error),
    );
}

function both<T>(one: Waiting<T>, other: Waiting<T>): Waiting<T> {
  return {
    came(value) {
      one.came(value);
      other.came(value);
    },
    failed(error) {
      one.failed(error);
      other.failed(error);
    },
  };
}
