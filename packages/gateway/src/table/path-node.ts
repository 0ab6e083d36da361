import type { CompiledRow } from "./compiled-row.ts";
import { LayeredMap } from "./layered-map.ts";
import { placeholder } from "./path-elements.ts";
import { RowGroup } from "./row-group.ts";
import { mustCompile } from "./whole-pattern.ts";
import type { WholePattern } from "./whole-pattern.ts";

/** Where elements lead that a pattern matches. */
interface Patterned {
  readonly pattern: WholePattern;
  readonly node: PathNode;
}

const NO_ROWS = RowGroup.empty();
const NO_PATTERNS: readonly Patterned[] = [];

/** Where the elements of templates lead. Never changed but by the edit that made it (`owner`). */
export class PathNode {
  readonly depth: number;
  readonly #owner: object;
  /** For paths that end here. */
  complete = NO_ROWS;
  /** More elements may follow. */
  open = NO_ROWS;
  /** By literal element. */
  children: LayeredMap<PathNode> | undefined;
  /** The longest pattern first. */
  patterned: readonly Patterned[] = NO_PATTERNS;
  /** For any element. */
  any: PathNode | undefined;

  constructor(owner: object, depth: number) {
    this.#owner = owner;
    this.depth = depth;
  }

  get isLeaf(): boolean {
    return this.any === undefined && this.patterned.length === 0 && (this.children?.size ?? 0) === 0;
  }

  get isEmpty(): boolean {
    return this.isLeaf && this.complete.length + this.open.length === 0;
  }

  /** Where an element of a template leads. */
  next(element: string): PathNode | undefined {
    const slot = placeholder(element);
    if (slot === undefined) return this.children?.get(element);
    if (slot.pattern === undefined) return this.any;
    return this.patterned.find(({ pattern }) => pattern.source === slot.pattern)?.node;
  }

  /** A node of `owner`, this one if it is, that leads there; undefined: nowhere. */
  leadingTo(node: PathNode | undefined, element: string, owner: object): PathNode {
    const changed = this.for(owner);
    const slot = placeholder(element);
    if (slot === undefined) {
      changed.children = (this.children ?? LayeredMap.empty<PathNode>(owner)).set(element, node, owner);
    } else if (slot.pattern === undefined) changed.any = node;
    else changed.patterned = repatterned(this.patterned, slot.pattern, node);
    return changed;
  }

  /** This node, or one like it for `owner` to change. */
  for(owner: object): PathNode {
    if (this.#owner === owner) return this;
    const next = new PathNode(owner, this.depth);
    next.complete = this.complete;
    next.open = this.open;
    next.children = this.children;
    next.patterned = this.patterned;
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
  const element = spot.elements[node.depth];
  if (element !== undefined) {
    const next = node.next(element) ?? new PathNode(owner, node.depth + 1);
    return node.leadingTo(withRow(next, spot, row, owner), element, owner);
  }
  const changed = node.for(owner);
  changed[spot.list] = node[spot.list].with(row, owner);
  return changed;
}

/** A tree without the row, and without the nodes that nothing hangs on any more. */
export function withoutRow(node: PathNode, spot: RowSpot, row: CompiledRow["row"], owner: object): PathNode {
  const element = spot.elements[node.depth];
  if (element !== undefined) {
    const next = node.next(element);
    if (next === undefined) return node;
    const rest = withoutRow(next, spot, row, owner);
    return node.leadingTo(rest.isEmpty ? undefined : rest, element, owner);
  }
  const changed = node.for(owner);
  changed[spot.list] = node[spot.list].without(row, owner);
  return changed;
}

function repatterned(list: readonly Patterned[], source: string, node: PathNode | undefined): readonly Patterned[] {
  const known = list.find(({ pattern }) => pattern.source === source);
  const rest = list.filter((one) => one !== known);
  if (node === undefined) return rest.length === 0 ? NO_PATTERNS : rest;
  return [...rest, { pattern: known?.pattern ?? mustCompile(source), node }].sort(byPattern);
}

function byPattern(a: Patterned, b: Patterned): number {
  const left = a.pattern.source;
  const right = b.pattern.source;
  return right.length - left.length || (left < right ? -1 : 1);
}
