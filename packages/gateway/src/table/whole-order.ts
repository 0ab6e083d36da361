import type { MatchRow } from "./match-row.ts";
import { pathElements, placeholder, prefixOf } from "./path-elements.ts";
import { compareRows } from "./row-order.ts";

/**
 * Which of two rows is asked first, whatever their hosts and paths: for those who ask rows one by one. The first row of a list in this
 * order that holds is the one that {@link RoutingTable} finds. Negative: `a` before `b`.
 */
export function compareWholeRows(a: MatchRow, b: MatchRow): number {
  return compareHosts(a.host, b.host) || comparePaths(a, b) || compareRows(a, b);
}

/** Whole names, then wildcards, the longer first, then any. */
export function compareHosts(a: string | undefined, b: string | undefined): number {
  return hostRank(a) - hostRank(b) || (b?.length ?? 0) - (a?.length ?? 0) || byText(a ?? "", b ?? "");
}

function hostRank(host: string | undefined): number {
  return host === undefined ? 2 : host.startsWith("*.") ? 1 : 0;
}

function comparePaths({ path: a }: MatchRow, { path: b }: MatchRow): number {
  const rank = pathRank(a) - pathRank(b);
  if (rank !== 0) return rank;
  if (a.type === "exact") return 0;
  if (a.type === "regex") return b.value.length - a.value.length;
  const [left, right] = [elementsOf(a), elementsOf(b)];
  if (left.length !== right.length) return right.length - left.length;
  for (const [at, element] of left.entries()) {
    const order = compareElements(element, right[at] ?? "");
    if (order !== 0) return order;
  }
  return isOpen(a) - isOpen(b);
}

function pathRank({ type }: MatchRow["path"]): number {
  return type === "exact" ? 0 : type === "regex" ? 2 : 1;
}

/** More may follow. */
function isOpen(path: MatchRow["path"]): number {
  return path.type === "template" && !path.prefix ? 0 : 1;
}

/** Of a prefix every element stands for itself. */
function elementsOf(path: MatchRow["path"]): readonly string[] {
  const elements = pathElements(isOpen(path) === 1 ? prefixOf(path.value) : path.value);
  return path.type === "template" ? elements.map(elementRank) : elements.map(() => LITERAL);
}

const LITERAL = "a";

/** Literal, then the longer pattern, then any. */
function elementRank(element: string): string {
  const found = placeholder(element);
  if (found === undefined) return LITERAL;
  return found.pattern === undefined ? "c" : `b${found.pattern}`;
}

function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  if (a[0] !== b[0]) return byText(a[0] ?? "", b[0] ?? "");
  return b.length - a.length || byText(a, b);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
