import { CelError } from "./value.ts";
import type { CelList, CelValue } from "./value.ts";

/** A list that holds its items. */
export class ArrayList implements CelList {
  readonly kind = "list";
  readonly items: CelValue[];

  constructor(items: CelValue[]) {
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): CelValue {
    return this.items[index]!;
  }

  [Symbol.iterator](): Iterator<CelValue> {
    return this.items[Symbol.iterator]();
  }
}

/** The list that a comprehension builds. Only its accumulator holds it, so appending in place is not seen by anyone. */
export class GrowingList extends ArrayList {}

/** Two lists, one after the other, without copying either: concatenation must stay as cheap as its cost says. */
class ConcatList implements CelList {
  readonly kind = "list";
  readonly size: number;
  readonly #left: CelList;
  readonly #right: CelList;

  constructor(left: CelList, right: CelList) {
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  at(index: number): CelValue {
    return index < this.#left.size ? this.#left.at(index) : this.#right.at(index - this.#left.size);
  }

  *[Symbol.iterator](): Iterator<CelValue> {
    yield* this.#left;
    yield* this.#right;
  }
}

/** More items than any request can bring. Sums that share their parts could claim any number at no cost. */
export const maxItems = 5_000_000;

/** `left + right`. Throws CelError when the result is larger than any honest list. */
export function concat(left: CelList, right: CelList): CelList {
  if (left instanceof GrowingList) {
    for (const item of right) left.items.push(item);
    return left;
  }
  if (left.merge !== undefined) return left.merge(right);
  if (left.size === 0) return right;
  if (left.size + right.size > maxItems) throw new CelError("list is too large");
  return right.size === 0 ? left : new ConcatList(left, right);
}
