/** Those who want to hear of a change. */
export class Listeners {
  readonly #all = new Set<() => void>();

  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  tell(): void {
    for (const listener of this.#all) listener();
  }
}
