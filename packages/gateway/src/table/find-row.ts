import type { CompiledRow } from "./compiled-row.ts";
import { rowHolds } from "./compiled-row.ts";
import { isAnyAt } from "./host-routes.ts";
import type { HostRoutes, PathRows } from "./host-routes.ts";
import { countElements } from "./path-elements.ts";
import type { PathNode } from "./path-node.ts";
import { pathWay } from "./path-way.ts";
import type { Question } from "./route-table.ts";
import { compareRegexRows } from "./row-order.ts";

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
    const found = here === undefined ? undefined : firstHolding(here.exact, question, host);
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
    const found = firstHolding(rows.open, question, host);
    if (found !== undefined) return found;
  }
  return withPatterns === undefined ? undefined : bestPattern(withPatterns, question, host);
}

function firstInNode(node: PathNode, elements: number, question: Question, host: string): CompiledRow | undefined {
  if (node.depth === elements) {
    const found = firstHolding(node.complete, question, host);
    if (found !== undefined) return found;
  }
  return firstHolding(node.open, question, host);
}

function firstHolding(rows: readonly CompiledRow[], question: Question, host: string): CompiledRow | undefined {
  for (let at = 0; at < rows.length; at++) if (rowHolds(rows[at]!, question, host)) return rows[at];
  return undefined;
}

function bestPattern(
  lists: readonly (PathRows | undefined)[],
  question: Question,
  host: string,
): CompiledRow | undefined {
  let best: CompiledRow | undefined;
  for (const list of lists)
    for (const row of list?.patterns ?? []) {
      if (best !== undefined && compareRegexRows(row.row, best.row) >= 0) break;
      if (patternHolds(row, question.path) && rowHolds(row, question, host)) {
        best = row;
        break;
      }
    }
  return best;
}

/** Whether the pattern of a row matches a path. */
export function patternHolds(row: CompiledRow, path: string): boolean {
  return path.startsWith(row.literal) && (row.pattern?.matches(path) ?? false);
}
