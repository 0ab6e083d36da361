import { compileRow, rowHolds } from "./compiled-row.ts";
import type { CompiledRow } from "./compiled-row.ts";
import { LayeredMap } from "./layered-map.ts";
import type { MatchRow } from "./match-row.ts";
import { literalPrefix } from "./literal-prefix.ts";
import { pathElements } from "./path-elements.ts";
import { PathNode, inserted, withRow, withoutRow } from "./path-node.ts";
import type { RowSpot } from "./path-node.ts";
import { endsAt, pathWay } from "./path-way.ts";
import type { Question } from "./route-table.ts";
import { compareRegexRows, compareRows } from "./row-order.ts";

/** Rows of one exact path, in order. */
export interface ExactRows {
  readonly rows: readonly CompiledRow[];
}

/** All rows of one host. Immutable: changes make the next one. */
export interface HostRoutes {
  readonly exact: LayeredMap<ExactRows>;
  readonly tree: PathNode;
}

export function noRoutes(owner: object): HostRoutes {
  return { exact: LayeredMap.empty(owner), tree: new PathNode(owner, 0) };
}

export function isEmpty(routes: HostRoutes): boolean {
  return routes.exact.size === 0 && routes.tree.isEmpty;
}

export function addRow(routes: HostRoutes, row: MatchRow, owner: object): HostRoutes {
  const compiled = compileRow(row);
  const { path } = row;
  if (path.type !== "exact") return { ...routes, tree: withRow(routes.tree, spotOf(row), compiled, owner) };
  const rows = inserted(routes.exact.get(path.value)?.rows ?? [], compiled, compareRows);
  return { ...routes, exact: routes.exact.set(path.value, { rows }, owner) };
}

export function removeRow(routes: HostRoutes, row: MatchRow, owner: object): HostRoutes {
  const { path } = row;
  if (path.type !== "exact") return { ...routes, tree: withoutRow(routes.tree, spotOf(row), row, owner) };
  const rows = (routes.exact.get(path.value)?.rows ?? []).filter((one) => one.row !== row);
  return { ...routes, exact: routes.exact.set(path.value, rows.length === 0 ? undefined : { rows }, owner) };
}

/** Patterns hang where the whole elements end that every path begins with that they match. */
function spotOf({ path }: MatchRow): RowSpot {
  if (path.type === "prefix") return { elements: pathElements(path.value), list: "open", template: false };
  if (path.type === "template" && path.prefix)
    return { elements: pathElements(path.value), list: "open", template: true };
  // Of a complete path every slash counts.
  if (path.type === "template") return { elements: path.value.slice(1).split("/"), list: "complete", template: true };
  const literal = literalPrefix(path.value);
  const elements = literal.startsWith("/") ? literal.slice(1).split("/").slice(0, -1) : [];
  return { elements, list: "patterns", template: false };
}

/** The first row that holds. */
export function findRow(routes: HostRoutes, question: Question, host: string): CompiledRow | undefined {
  const { path } = question;
  const exact = routes.exact.get(path);
  if (exact !== undefined) {
    const found = firstHolding(exact.rows, question, host);
    if (found !== undefined) return found;
  }
  const way = pathWay(routes.tree, path);
  let patterns = false;
  for (const node of way) {
    patterns ||= node.patterns.length > 0;
    if (node.complete.length > 0 && endsAt(node, path)) {
      const found = firstHolding(node.complete, question, host);
      if (found !== undefined) return found;
    }
    const found = firstHolding(node.open, question, host);
    if (found !== undefined) return found;
  }
  if (way.length === 0) return bestPattern([routes.tree], question, host);
  return patterns ? bestPattern(way, question, host) : undefined;
}

function firstHolding(rows: readonly CompiledRow[], question: Question, host: string): CompiledRow | undefined {
  for (let at = 0; at < rows.length; at++) if (rowHolds(rows[at]!, question, host)) return rows[at];
  return undefined;
}

function bestPattern(nodes: readonly PathNode[], question: Question, host: string): CompiledRow | undefined {
  let best: CompiledRow | undefined;
  for (const node of nodes)
    for (const row of node.patterns) {
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
