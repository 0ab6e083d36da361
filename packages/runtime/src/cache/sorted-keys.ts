/**
 * Distinct keys in order. Adding at the end is cheap, and lists arrive in order; adding elsewhere moves what comes after, which for
 * single changes costs less than sorting at each read.
 */
export class SortedKeys {
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** The living list: valid until the next change. */
  all(): readonly string[] {
    return this.#keys;
  }

  /** Keys that begin with `prefix`, which must not be empty. */
  startingWith(prefix: string): readonly string[] {
    const after = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    return this.#keys.slice(this.#position(prefix), this.#position(after));
  }

  add(key: string): void {
    const last = this.#keys.at(-1);
    if (last === undefined || last < key) {
      this.#keys.push(key);
      return;
    }
    const at = this.#position(key);
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key);
  }

  delete(key: string): void {
    const at = this.#position(key);
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  /** Where the first key is that is not less. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
