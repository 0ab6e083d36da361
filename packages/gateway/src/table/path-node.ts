import type { CompiledRow } from "./compiled-row.ts";
import { LayeredMap } from "./layered-map.ts";
import { isPlaceholder } from "./path-elements.ts";
import { NO_ROWS, inserted, without } from "./row-list.ts";

/** Where the elements of templates lead. Never changed but by the edit that made it (`owner`). */
export class PathNode {
  readonly depth: number;
  readonly #owner: object;
  /** For paths that end here. */
  complete: readonly CompiledRow[] = NO_ROWS;
  /** More elements may follow. */
  open: readonly CompiledRow[] = NO_ROWS;
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
      this.complete.length + this.open.length === 0
    );
  }

  /** This node, or one like it for `owner` to change. */
  for(owner: object): PathNode {
    if (this.#owner === owner) return this;
    const next = new PathNode(owner, this.depth);
    next.complete = this.complete;
    next.open = this.open;
    next.children = this.children;
    next.any = this.any;
    return next;
  }
}

/** Where a row hangs in a tree of elements. */
export interface RowSpot {
  readonly elements: readonly string[];
  readonly list: "complete" | "open";
}

/** A tree with the row in it. */
export function withRow(node: PathNode, spot: RowSpot, row: CompiledRow, owner: object): PathNode {
  const next = node.for(owner);
  const element = spot.elements[node.depth];
  if (element === undefined) next[spot.list] = inserted(node[spot.list], row);
  else if (isPlaceholder(element)) {
    next.any = withRow(node.any ?? new PathNode(owner, node.depth + 1), spot, row, owner);
  } else {
    const children = node.children ?? LayeredMap.empty<PathNode>(owner);
    const child = children.get(element) ?? new PathNode(owner, node.depth + 1);
    next.children = children.set(element, withRow(child, spot, row, owner), owner);
  }
  return next;
}

/** A tree without the row, and without the nodes that nothing hangs on any more. */
export function withoutRow(node: PathNode, spot: RowSpot, row: CompiledRow["row"], owner: object): PathNode {
  const next = node.for(owner);
  const element = spot.elements[node.depth];
  if (element === undefined) next[spot.list] = without(node[spot.list], row);
  else if (isPlaceholder(element)) {
    if (node.any !== undefined) next.any = unlessEmpty(withoutRow(node.any, spot, row, owner));
  } else {
    const child = node.children?.get(element);
    if (child === undefined) return node;
    next.children = node.children?.set(element, unlessEmpty(withoutRow(child, spot, row, owner)), owner);
  }
  return next;
}

function unlessEmpty(node: PathNode): PathNode | undefined {
  return node.isEmpty ? undefined : node;
}
