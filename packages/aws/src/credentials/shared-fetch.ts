interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Work that is done once for all who want its result at the same time. Ends early only when all of them have gone. */
export class SharedFetch<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>;
  #flight: Flight<T> | undefined;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  get running(): boolean {
    return this.#flight !== undefined;
  }

  /** The result of the work that runs, or of work that begins now. Rejects with the reason of the signal as soon as it aborts. */
  join(signal: AbortSignal): Promise<T> {
    const flight = (this.#flight ??= this.#begin());
    flight.waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        if (--flight.waiting > 0) return;
        if (this.#flight === flight) this.#flight = undefined;
        flight.stop.abort(signal.reason);
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener("abort", leave, { once: true });
      flight.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  #begin(): Flight<T> {
    const stop = new AbortController();
    const result = this.#work(stop.signal);
    const flight: Flight<T> = { result, stop, waiting: 0 };
    const end = (): void => {
      if (this.#flight === flight) this.#flight = undefined;
    };
    result.then(end, end);
    return flight;
  }
}
