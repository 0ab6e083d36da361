/** What a {@link Chain} holds: it knows its neighbours. Only the chain writes them. */
export interface ChainItem<T> {
  previous: T | undefined;
  next: T | undefined;
}

/** A line of items: append, take the first and leave from the middle, each in O(1). An item is in one chain at most. */
export class Chain<T extends ChainItem<T>> {
  #first: T | undefined;
  #last: T | undefined;

  get first(): T | undefined {
    return this.#first;
  }

  append(item: T): void {
    item.previous = this.#last;
    item.next = undefined;
    if (this.#last === undefined) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
  }

  remove(item: T): void {
    if (item.previous === undefined) this.#first = item.next;
    else item.previous.next = item.next;
    if (item.next === undefined) this.#last = item.previous;
    else item.next.previous = item.previous;
    item.previous = undefined;
    item.next = undefined;
  }
}
