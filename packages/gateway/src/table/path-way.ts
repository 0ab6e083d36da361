import type { PathNode } from "./path-node.ts";

const NOWHERE: readonly PathNode[] = [];

/**
 * The nodes of a tree whose rows a path may belong to, the most specific first: the deepest; of equally deep ones that whose first
 * different element is literal, then the one with the longer pattern. Never more than the tree has.
 */
export function pathWay(root: PathNode | undefined, path: string): readonly PathNode[] {
  if (root === undefined || !path.startsWith("/")) return NOWHERE;
  const way: PathNode[] = [];
  return walk(root, path, 0, way) ? way.sort((a, b) => b.depth - a.depth) : way.reverse();
}

/** Collects the nodes from this one on, at whose end the slash `at` stands. True: not one line, has to be sorted. */
function walk(node: PathNode, path: string, at: number, way: PathNode[]): boolean {
  way.push(node);
  if (at === path.length || node.isLeaf) return false;
  const slash = path.indexOf("/", at + 1);
  const end = slash === -1 ? path.length : slash;
  const element = path.slice(at + 1, end);
  let ways = 0;
  let branched = false;
  const literal = node.children?.get(element);
  if (literal !== undefined) {
    branched = walk(literal, path, end, way);
    ways++;
  }
  if (element !== "") {
    for (const { pattern, node: next } of node.patterned) {
      if (!pattern.matches(element)) continue;
      branched = walk(next, path, end, way) || branched;
      ways++;
    }
    if (node.any !== undefined) {
      branched = walk(node.any, path, end, way) || branched;
      ways++;
    }
  }
  return branched || ways > 1;
}
