/** What a {@link Heap} holds: it keeps its own place, so that it can be moved or taken out without a search. */
export interface HeapItem {
  /** Where it is in the heap; -1 when it is in none. Only the heap writes it. */
  position: number;
}

/** A binary heap whose items can be removed and re-ordered in O(log n). An item is in one heap at most. */
export class Heap<T extends HeapItem> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  first(): T | undefined {
    return this.#items[0];
  }

  add(item: T): void {
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  remove(item: T): void {
    const hole = item.position;
    const last = this.#items.pop();
    item.position = -1;
    if (last === undefined || last === item) return;
    this.#settle(last, hole);
  }

  /** To be called after the order of an item has changed. */
  moved(item: T): void {
    this.#settle(item, item.position);
  }

  clear(): T[] {
    const items = this.#items.splice(0);
    for (const item of items) item.position = -1;
    return items;
  }

  #settle(item: T, at: number): void {
    const parent = this.#items[(at - 1) >> 1];
    if (at > 0 && parent !== undefined && this.#before(item, parent)) this.#rise(item, at);
    else this.#sink(item, at);
  }

  #rise(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = this.#items[(at - 1) >> 1]!;
      if (!this.#before(item, parent)) break;
      this.#put(parent, at);
      at = (at - 1) >> 1;
    }
    this.#put(item, at);
  }

  #sink(item: T, from: number): void {
    let at = from;
    for (;;) {
      const left = this.#items[2 * at + 1];
      if (left === undefined) break;
      const right = this.#items[2 * at + 2];
      const child = right !== undefined && this.#before(right, left) ? right : left;
      if (!this.#before(child, item)) break;
      const next = child.position;
      this.#put(child, at);
      at = next;
    }
    this.#put(item, at);
  }

  #put(item: T, at: number): void {
    this.#items[at] = item;
    item.position = at;
  }
}
