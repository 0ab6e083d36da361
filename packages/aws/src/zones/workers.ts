import { linkSignals } from "@gatewright/ports";

type Task = (signal: AbortSignal) => Promise<unknown>;

/** Tasks that live no longer than a run. One that fails ends the run, and the others with it. */
export class Workers {
  #until: AbortSignal | undefined;
  #fail: (error: unknown) => void = () => undefined;
  readonly #tasks = new Set<Promise<void>>();

  /** Begins a task; does nothing while there is no run. */
  start(task: Task): void {
    const until = this.#until;
    if (until === undefined || until.aborted) return;
    const work = task(until)
      .then(() => undefined, this.#fail)
      .finally(() => this.#tasks.delete(work));
    this.#tasks.add(work);
  }

  /** Runs until the signal aborts; `begin` starts the first tasks. Resolves when all have ended, rejects when one failed. */
  async run(signal: AbortSignal, begin: () => void): Promise<void> {
    if (this.#until !== undefined) throw new Error("it runs already");
    const ending = new AbortController();
    using linked = linkSignals([signal, ending.signal]);
    const failures: unknown[] = [];
    this.#until = linked.signal;
    this.#fail = (error) => {
      if (linked.signal.aborted) return;
      failures.push(error);
      ending.abort(error);
    };
    try {
      begin();
      while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    } finally {
      this.#until = undefined;
    }
    if (failures.length > 0) throw failures[0];
  }
}
