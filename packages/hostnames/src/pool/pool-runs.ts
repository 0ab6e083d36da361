/**
 * Runs of the pool that are under way. A run writes what the cache showed when it began; who has to know that nothing of an older view
 * is written any more waits for those that have begun.
 */
export class PoolRuns {
  readonly #running = new Set<Promise<unknown>>();

  /** Does a run, and counts it until it ends. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    const running = run();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /**
   * Resolves when all runs that have begun have ended, however they did; those that begin meanwhile are not waited for. They end on the
   * signal of the manager that runs them, so this one needs none.
   */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}
