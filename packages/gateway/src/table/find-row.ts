import type { CompiledRow } from "./compiled-row.ts";
import { isAnyAt } from "./host-routes.ts";
import type { HostRoutes, PathRows } from "./host-routes.ts";
import { countElements } from "./path-elements.ts";
import type { PathNode } from "./path-node.ts";
import { pathWay } from "./path-way.ts";
import type { Question } from "./route-table.ts";

/**
 * The first row of a host that holds: the exact path, then prefixes and templates from the deepest up (a literal path before a
 * template of the same depth), then patterns.
 */
export function findRow(routes: HostRoutes, question: Question, host: string): CompiledRow | undefined {
  const { path } = question;
  const { paths, depths } = routes;
  const elements = countElements(path);
  if (isAnyAt(routes.exactDepths, elements)) {
    const here = paths.get(path);
    const found = here?.exact.first(question, host);
    if (found !== undefined) return found;
  }
  if (!path.startsWith("/")) return bestPattern([paths.get("")], question, host);

  const way = pathWay(routes.templates, path);
  let template = 0;
  let withPatterns: PathRows[] | undefined;
  let end = path.length;
  for (let depth = elements; depth >= 0; depth--, end = path.lastIndexOf("/", end - 1)) {
    for (; template < way.length && way[template]!.depth > depth; template++) {
      const found = firstInNode(way[template]!, elements, question, host);
      if (found !== undefined) return found;
    }
    if (!isAnyAt(depths, depth)) continue;
    const rows = paths.get(path.slice(0, end));
    if (rows === undefined) continue;
    if (rows.patterns.length > 0) (withPatterns ??= []).push(rows);
    const found = rows.open.first(question, host);
    if (found !== undefined) return found;
  }
  return withPatterns === undefined ? undefined : bestPattern(withPatterns, question, host);
}

function firstInNode(node: PathNode, elements: number, question: Question, host: string): CompiledRow | undefined {
  if (node.depth === elements) {
    const found = node.complete.first(question, host);
    if (found !== undefined) return found;
  }
  return node.open.first(question, host);
}

function bestPattern(
  lists: readonly (PathRows | undefined)[],
  question: Question,
  host: string,
): CompiledRow | undefined {
  let best: CompiledRow | undefined;
  for (const list of lists) best = list?.patterns.first(question, host, best) ?? best;
  return best;
}
