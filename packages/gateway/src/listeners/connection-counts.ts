/** How many connections there are, in total and of each address. */
export class ConnectionCounts {
  readonly #byAddress = new Map<string, number>();

  /** Counts one more of an address, unless it has as many as it may have. */
  enter(address: string, most: number): boolean {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= most) return false;
    this.#byAddress.set(address, count + 1);
    return true;
  }

  leave(address: string): void {
    const count = this.#byAddress.get(address) ?? 0;
    if (count <= 1) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count - 1);
  }
}
