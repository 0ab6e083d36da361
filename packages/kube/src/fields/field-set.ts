import { formatElement, sortElements } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/**
 * A set of field paths, as a trie. Values are shared and never changed once made. No node is empty: each is in the set
 * itself or has one below it that is.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export interface FieldNode {
  /** Whether the path that ends here is in the set. */
  readonly owned: boolean;
  readonly below: FieldSet;
}

export const emptySet: FieldSet = new Map();

/** A path that is in the set, with nothing below it. */
export const leaf: FieldNode = { owned: true, below: emptySet };

/** A set that is being filled. Hand it out as a {@link FieldSet} and do not touch it again. */
export type FieldSetBuilder = Map<PathElement, { owned: boolean; below: FieldSetBuilder }>;

/** Adds a path. The empty path is nowhere and is ignored. */
export function insertPath(set: FieldSetBuilder, path: readonly PathElement[]): void {
  let level = set;
  for (let i = 0; i < path.length; i++) {
    let node = level.get(path[i]!);
    if (node === undefined) {
      node = { owned: false, below: new Map() };
      level.set(path[i]!, node);
    }
    if (i === path.length - 1) node.owned = true;
    level = node.below;
  }
}

/** A set of plain field paths: `[["metadata", "name"]]`. */
export function setOfFields(paths: readonly (readonly string[])[]): FieldSet {
  const set: FieldSetBuilder = new Map();
  for (const path of paths)
    insertPath(
      set,
      path.map((name) => `f:${name}`),
    );
  return set;
}

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let level = set;
  let owned = false;
  for (const element of path) {
    const node = level.get(element);
    if (node === undefined) return false;
    owned = node.owned;
    level = node.below;
  }
  return owned;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || b.size === 0) return a;
  if (a.size === 0) return b;
  const result = new Map(a);
  for (const [element, right] of b) {
    const left = a.get(element);
    if (left === undefined) result.set(element, right);
    else if (left !== right)
      result.set(element, { owned: left.owned || right.owned, below: union(left.below, right.below) });
  }
  return result;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || a.size === 0 || b.size === 0) return a.size === 0 ? a : b;
  const result = new Map<PathElement, FieldNode>();
  for (const [element, left] of a) {
    const right = b.get(element);
    if (right === undefined) continue;
    const owned = left.owned && right.owned;
    const below = intersection(left.below, right.below);
    if (owned || below.size > 0) result.set(element, { owned, below });
  }
  return result;
}

/** The paths of `a` that are not in `b`. What is below a removed path stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, false);
}

/** The paths of `a` that are neither in `b` nor below one that is. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, true);
}

function without(a: FieldSet, b: FieldSet, deep: boolean): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    if (left === undefined) continue;
    const owned = left.owned && !right.owned;
    const below = right.owned && deep ? emptySet : without(left.below, right.below, deep);
    if (owned === left.owned && below === left.below) continue;
    result ??= new Map(a);
    if (owned || below.size > 0) result.set(element, { owned, below });
    else result.delete(element);
  }
  return result ?? a;
}

/** Whether every path of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  for (const [element, left] of a) {
    const right = b.get(element);
    if (right === undefined || (left.owned && !right.owned) || !isSubset(left.below, right.below)) return false;
  }
  return true;
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [element, left] of a) {
    const right = b.get(element);
    if (right === undefined || left.owned !== right.owned || !equalSets(left.below, right.below)) return false;
  }
  return true;
}

/** The elements of one level, in the order of fieldsV1. */
export function sortedElements(set: FieldSet): PathElement[] {
  return sortElements([...set.keys()]);
}

/** Every path as text (`.spec.ports[port=80]`): on each level first those that end there, then what is below. */
export function formatPaths(set: FieldSet, prefix = ""): string[] {
  const elements = sortedElements(set);
  const here = elements.filter((element) => set.get(element)!.owned).map((element) => prefix + formatElement(element));
  const below = elements.flatMap((element) => {
    const node = set.get(element)!;
    return node.below.size === 0 ? [] : formatPaths(node.below, prefix + formatElement(element));
  });
  return [...here, ...below];
}
