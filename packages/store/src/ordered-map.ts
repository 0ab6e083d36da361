import { compareKeys } from "./key-order.ts";

/** Values know their key, so that nodes need not repeat it. */
interface Keyed {
  readonly key: string;
}

interface Leaf<V> {
  readonly kind: "leaf";
  readonly first: string;
  readonly size: number;
  readonly items: readonly V[];
}

interface Branch<V> {
  readonly kind: "branch";
  readonly first: string;
  readonly size: number;
  readonly items: readonly Node<V>[];
}

type Node<V> = Leaf<V> | Branch<V>;

const MOST = 32;
const FEWEST = 10;

/**
 * An immutable map in bytewise order of keys: a B+tree whose writes copy one path, O(log n), and share all the rest. Every
 * version stays valid and costs about 1 KB beyond the one before it.
 */
export class OrderedMap<V extends Keyed> {
  readonly #root: Node<V> | undefined;

  private constructor(root: Node<V> | undefined) {
    this.#root = root;
  }

  static empty<V extends Keyed>(): OrderedMap<V> {
    return new OrderedMap<V>(undefined);
  }

  /** Builds a map at once from values that are already in key order, each key once. Throws when they are not. */
  static fromSorted<V extends Keyed>(values: readonly V[]): OrderedMap<V> {
    for (let i = 1; i < values.length; i++) {
      if (compareKeys(values[i - 1]!.key, values[i]!.key) >= 0) throw new RangeError("keys are not in rising order");
    }
    let level: Node<V>[] = chunks(values).map((items) => leaf(items));
    while (level.length > 1) level = chunks(level).map((items) => branch(items));
    return new OrderedMap(level[0]);
  }

  get size(): number {
    return this.#root === undefined ? 0 : this.#root.size;
  }

  get(key: string): V | undefined {
    let node = this.#root;
    if (node === undefined) return undefined;
    while (node.kind === "branch") node = node.items[childFor(node, key)]!;
    const at = lowerBound(node.items, key);
    const value = node.items[at];
    return value !== undefined && value.key === key ? value : undefined;
  }

  /** The map with this value under its key, in place of the one before. */
  set(value: V): OrderedMap<V> {
    if (this.#root === undefined) return new OrderedMap<V>(leaf([value]));
    const parts = insert(this.#root, value);
    return new OrderedMap<V>(parts.length === 1 ? parts[0] : branch(parts));
  }

  /** The map without this key; the same map when it has no such key. */
  delete(key: string): OrderedMap<V> {
    if (this.#root === undefined) return this;
    let root = remove(this.#root, key);
    if (root === this.#root) return this;
    while (root?.kind === "branch" && root.items.length === 1) root = root.items[0];
    return new OrderedMap<V>(root);
  }

  /** How many keys come before `start`. */
  countBefore(start: string): number {
    return this.#countWhile((key) => compareKeys(key, start) < 0);
  }

  /** How many keys come before or start with `prefix`. */
  countThrough(prefix: string): number {
    return this.#countWhile((key) => key.startsWith(prefix) || compareKeys(key, prefix) < 0);
  }

  /** The values from the first key at or after `start`, in key order. */
  *from(start: string): Generator<V, undefined> {
    const path: { readonly node: Node<V>; at: number }[] = [];
    let node = this.#root;
    while (node !== undefined) {
      const at: number = node.kind === "leaf" ? lowerBound(node.items, start) : childFor(node, start);
      path.push({ node, at });
      node = node.kind === "leaf" ? undefined : node.items[at];
    }
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.node.kind === "leaf") {
        const { items } = top.node;
        for (let i = top.at; i < items.length; i++) yield items[i]!;
        path.pop();
      } else {
        const child: Node<V> | undefined = top.node.items[++top.at];
        if (child === undefined) path.pop();
        else path.push({ node: child, at: child.kind === "leaf" ? 0 : -1 });
      }
    }
  }

  /** Counts the keys for which `holds` is true, given that those come first. */
  #countWhile(holds: (key: string) => boolean): number {
    let count = 0;
    let node = this.#root;
    while (node?.kind === "branch") {
      const { items }: Branch<V> = node;
      const child = Math.max(0, firstWhere(items.length, (i) => !holds(items[i]!.first)) - 1);
      for (let i = 0; i < child; i++) count += items[i]!.size;
      node = items[child];
    }
    if (node === undefined) return 0;
    const { items } = node;
    return count + firstWhere(items.length, (i) => !holds(items[i]!.key));
  }
}

/** The first index below `length` for which `holds` is true, given that it stays true; `length` when there is none. */
function firstWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function leaf<V extends Keyed>(items: readonly V[]): Leaf<V> {
  return { kind: "leaf", first: items[0]!.key, size: items.length, items };
}

function branch<V extends Keyed>(items: readonly Node<V>[]): Branch<V> {
  let size = 0;
  for (const item of items) size += item.size;
  return { kind: "branch", first: items[0]!.first, size, items };
}

/** The index of the first value whose key is not before `key`. */
function lowerBound(items: readonly Keyed[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(items[middle]!.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the last child that starts at or before `key`, or 0. */
function childFor<V>(node: Branch<V>, key: string): number {
  let low = 1;
  let high = node.items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(node.items[middle]!.first, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The node with the value in it, in two parts when one became too full. */
function insert<V extends Keyed>(node: Node<V>, value: V): Node<V>[] {
  if (node.kind === "leaf") {
    const at = lowerBound(node.items, value.key);
    const replaces = node.items[at]?.key === value.key;
    const items = replaces ? node.items.with(at, value) : node.items.toSpliced(at, 0, value);
    return split(items, at).map((part) => leaf(part));
  }
  const at = childFor(node, value.key);
  const parts = insert(node.items[at]!, value);
  const items = parts.length === 1 ? node.items.with(at, parts[0]!) : node.items.toSpliced(at, 1, ...parts);
  return split(items, at + parts.length - 1).map((part) => branch(part));
}

/** Splits an overfull node. One that grew at its end is left full: keys that arrive in order then fill their nodes. */
function split<T>(items: readonly T[], grewAt: number): (readonly T[])[] {
  if (items.length <= MOST) return [items];
  const middle = grewAt === items.length - 1 ? items.length - FEWEST : items.length >>> 1;
  return [items.slice(0, middle), items.slice(middle)];
}

/** The node without the key, undefined when nothing is left, the same node when the key is not in it. */
function remove<V extends Keyed>(node: Node<V>, key: string): Node<V> | undefined {
  if (node.kind === "leaf") {
    const at = lowerBound(node.items, key);
    if (node.items[at]?.key !== key) return node;
    return node.items.length === 1 ? undefined : leaf(node.items.toSpliced(at, 1));
  }
  const at = childFor(node, key);
  const old = node.items[at]!;
  const child = remove(old, key);
  if (child === old) return node;
  if (child === undefined) return node.items.length === 1 ? undefined : branch(node.items.toSpliced(at, 1));
  if (child.items.length >= FEWEST || node.items.length === 1) return branch(node.items.with(at, child));
  const left = at === 0 ? child : node.items[at - 1]!;
  const right = at === 0 ? node.items[1]! : child;
  return branch(node.items.toSpliced(Math.max(at - 1, 0), 2, ...join(left, right)));
}

/** Two neighbours as one node, or as two of about the same size when they do not fit into one. */
function join<V extends Keyed>(left: Node<V>, right: Node<V>): Node<V>[] {
  if (left.kind === "leaf" && right.kind === "leaf") {
    return split([...left.items, ...right.items], 0).map((part) => leaf(part));
  }
  if (left.kind === "branch" && right.kind === "branch") {
    return split([...left.items, ...right.items], 0).map((part) => branch(part));
  }
  throw new Error("neighbours in the tree are of different height");
}

/** Cuts values into runs that fill a node well and leave room for a few more. */
function chunks<T>(items: readonly T[]): T[][] {
  const runs = Math.ceil(items.length / (MOST - 4));
  const result: T[][] = [];
  for (let i = 0; i < runs; i++) {
    result.push(items.slice(Math.floor((i * items.length) / runs), Math.floor(((i + 1) * items.length) / runs)));
  }
  return result;
}
