import type { PathNode } from "./path-node.ts";

const NOWHERE: readonly PathNode[] = [];

/**
 * The nodes of a tree whose rows a path may belong to, the most specific first: the deepest, and of equally deep ones that with a
 * literal element where the other takes any. No longer than the tree is deep, unless templates make it branch.
 */
export function pathWay(root: PathNode | undefined, path: string): readonly PathNode[] {
  if (root === undefined || !path.startsWith("/")) return NOWHERE;
  const way: PathNode[] = [];
  return walk(root, path, 0, way) ? way.sort((a, b) => b.depth - a.depth) : way.reverse();
}

/** Collects the nodes from this one on, at whose end the slash `at` stands. True: not one line, has to be sorted. */
function walk(from: PathNode, path: string, at: number, way: PathNode[]): boolean {
  let node: PathNode | undefined = from;
  let start = at;
  let branched = false;
  while (node !== undefined) {
    way.push(node);
    const { children, any }: PathNode = node;
    if (start === path.length || (children === undefined && any === undefined)) return branched;
    const slash = path.indexOf("/", start + 1);
    const end = slash === -1 ? path.length : slash;
    node = children?.get(path.slice(start + 1, end));
    if (any !== undefined && end > start + 1) {
      if (node !== undefined) {
        walk(node, path, end, way);
        branched = true;
      }
      node = any;
    }
    start = end;
  }
  return branched;
}
