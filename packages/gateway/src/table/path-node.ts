import type { CompiledRow } from "./compiled-row.ts";
import { LayeredMap } from "./layered-map.ts";
import { isPlaceholder } from "./path-elements.ts";
import { compareRegexRows, compareRows } from "./row-order.ts";

/** `complete`: the path ends here. `open`: more may follow. `patterns`: begin with the elements down to here. Each in order. */
export type RowList = "complete" | "open" | "patterns";

const NONE: readonly CompiledRow[] = [];

/** Where the elements of a path lead. Never changed but by the edit that made it (`owner`). */
export class PathNode {
  readonly depth: number;
  readonly #owner: object;
  complete: readonly CompiledRow[] = NONE;
  open: readonly CompiledRow[] = NONE;
  patterns: readonly CompiledRow[] = NONE;
  /** By literal element. */
  children: LayeredMap<PathNode> | undefined;
  /** For any element. */
  any: PathNode | undefined;

  constructor(owner: object, depth: number) {
    this.#owner = owner;
    this.depth = depth;
  }

  get isEmpty(): boolean {
    return (
      this.any === undefined &&
      (this.children === undefined || this.children.size === 0) &&
      this.complete.length + this.open.length + this.patterns.length === 0
    );
  }

  /** This node, or one like it for `owner` to change. */
  for(owner: object): PathNode {
    if (this.#owner === owner) return this;
    const next = new PathNode(owner, this.depth);
    next.complete = this.complete;
    next.open = this.open;
    next.patterns = this.patterns;
    next.children = this.children;
    next.any = this.any;
    return next;
  }
}

/** Where a row hangs in a tree of elements. */
export interface RowSpot {
  readonly elements: readonly string[];
  readonly list: RowList;
  /** Whether `{name}` among the elements stands for any element. */
  readonly template: boolean;
}

/** A tree with the row in it. */
export function withRow(node: PathNode, spot: RowSpot, row: CompiledRow, owner: object): PathNode {
  const next = node.for(owner);
  const element = spot.elements[node.depth];
  if (element === undefined) {
    next[spot.list] = inserted(node[spot.list], row, spot.list === "patterns" ? compareRegexRows : compareRows);
    return next;
  }
  if (spot.template && isPlaceholder(element)) {
    next.any = withRow(node.any ?? new PathNode(owner, node.depth + 1), spot, row, owner);
    return next;
  }
  const children = node.children ?? LayeredMap.empty<PathNode>(owner);
  const child = children.get(element) ?? new PathNode(owner, node.depth + 1);
  next.children = children.set(element, withRow(child, spot, row, owner), owner);
  return next;
}

/** A tree without the row, and without the nodes that nothing hangs on any more. */
export function withoutRow(node: PathNode, spot: RowSpot, row: CompiledRow["row"], owner: object): PathNode {
  const element = spot.elements[node.depth];
  const next = node.for(owner);
  if (element === undefined) next[spot.list] = node[spot.list].filter((one) => one.row !== row);
  else if (spot.template && isPlaceholder(element)) {
    if (node.any !== undefined) next.any = unlessEmpty(withoutRow(node.any, spot, row, owner));
  } else {
    const child = node.children?.get(element);
    if (child === undefined) return node;
    next.children = node.children?.set(element, unlessEmpty(withoutRow(child, spot, row, owner)), owner);
  }
  return next;
}

/** Inserts into a list that is in order, after its equals. Copies it. */
export function inserted(
  list: readonly CompiledRow[],
  row: CompiledRow,
  compare: (a: CompiledRow["row"], b: CompiledRow["row"]) => number,
): readonly CompiledRow[] {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle]!.row, row.row) <= 0) low = middle + 1;
    else high = middle;
  }
  return list.toSpliced(low, 0, row);
}

function unlessEmpty(node: PathNode): PathNode | undefined {
  return node.isEmpty ? undefined : node;
}
