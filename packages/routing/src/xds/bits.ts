const PER_WORD = 32;

/** A set of small numbers, a bit each: what ten thousand subscriptions of each of a thousand clients fit in. */
export class Bits {
  #words = new Uint32Array(0);

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    const word = number >>> 5;
    if (word >= this.#words.length) {
      const more = new Uint32Array(Math.max(word + 1, this.#words.length * 2));
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (number & 31));
  }

  delete(number: number): void {
    const word = number >>> 5;
    if (word < this.#words.length) this.#words[word] = (this.#words[word] ?? 0) & ~(1 << (number & 31));
  }

  clear(): void {
    this.#words = new Uint32Array(0);
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [at, word] of this.#words.entries())
      for (let rest = word; rest !== 0; rest &= rest - 1) yield at * PER_WORD + (31 - Math.clz32(rest & -rest));
  }
}
