import { compileRow } from "./compiled-row.ts";
import { LayeredMap } from "./layered-map.ts";
import { literalPrefix } from "./literal-prefix.ts";
import type { MatchRow } from "./match-row.ts";
import { countElements, pathElements, prefixOf } from "./path-elements.ts";
import { PathNode, withRow, withoutRow } from "./path-node.ts";
import type { RowSpot } from "./path-node.ts";
import { RowGroup } from "./row-group.ts";
import { compareRegexRows } from "./row-order.ts";

/** The rows that hang on one literal path, each group in order. */
export interface PathRows {
  /** For this path and no other. */
  readonly exact: RowGroup;
  /** For this path and all below it. */
  readonly open: RowGroup;
  /** Patterns all of whose paths are below this one. */
  readonly patterns: RowGroup;
}

/** All rows of one host. Immutable: changes make the next one. */
export interface HostRoutes {
  readonly paths: LayeredMap<PathRows>;
  /** At which numbers of elements there are exact rows, a bit each: where there are none, nobody looks. */
  readonly exactDepths: number;
  /** Likewise for rows that are open or patterns. */
  readonly depths: number;
  /** How many rows there are behind each bit. */
  readonly counts: { readonly exactDepths: readonly number[]; readonly depths: readonly number[] };
  readonly templates: PathNode | undefined;
}

const NO_COUNTS: HostRoutes["counts"] = { exactDepths: [], depths: [] };
/** The last bit is for this number of elements and all above. */
const MOST = 31;
const NO_ROWS = RowGroup.empty();
const NOTHING: PathRows = { exact: NO_ROWS, open: NO_ROWS, patterns: RowGroup.empty(compareRegexRows) };

export function noRoutes(owner: object): HostRoutes {
  return { paths: LayeredMap.empty(owner), exactDepths: 0, depths: 0, counts: NO_COUNTS, templates: undefined };
}

export function isEmpty(routes: HostRoutes): boolean {
  return routes.paths.size === 0 && routes.templates === undefined;
}

export function addRow(routes: HostRoutes, row: MatchRow, owner: object): HostRoutes {
  const compiled = compileRow(row);
  const spot = templateSpot(row);
  if (spot !== undefined) {
    const templates = withRow(routes.templates ?? new PathNode(owner, 0), spot, compiled, owner);
    return { ...routes, templates };
  }
  const { key, list } = literalSpot(row);
  const before = routes.paths.get(key) ?? NOTHING;
  const paths = routes.paths.set(key, { ...before, [list]: before[list].with(compiled, owner) }, owner);
  return { ...routes, paths, ...counted(routes, key, list, 1) };
}

export function removeRow(routes: HostRoutes, row: MatchRow, owner: object): HostRoutes {
  const spot = templateSpot(row);
  if (spot !== undefined) {
    const rest = routes.templates && withoutRow(routes.templates, spot, row, owner);
    return { ...routes, templates: rest?.isEmpty === true ? undefined : rest };
  }
  const { key, list } = literalSpot(row);
  const before = routes.paths.get(key);
  const rest = before?.[list].without(row, owner);
  if (before === undefined || rest === undefined || rest === before[list]) return routes;
  const after = { ...before, [list]: rest };
  const isGone = after.exact.length + after.open.length + after.patterns.length === 0;
  const paths = routes.paths.set(key, isGone ? undefined : after, owner);
  return { ...routes, paths, ...counted(routes, key, list, -1) };
}

/** Of a complete path every slash counts. */
function templateSpot({ path }: MatchRow): RowSpot | undefined {
  if (path.type !== "template") return undefined;
  return path.prefix
    ? { elements: pathElements(prefixOf(path.value)), list: "open" }
    : { elements: pathElements(path.value), list: "complete" };
}

/** Patterns hang where the whole elements end that every path begins with that they match. */
function literalSpot({ path }: MatchRow): { readonly key: string; readonly list: keyof PathRows } {
  if (path.type === "exact") return { key: path.value, list: "exact" };
  if (path.type === "prefix") return { key: prefixOf(path.value), list: "open" };
  const literal = literalPrefix(path.value);
  return { key: literal.startsWith("/") ? literal.slice(0, literal.lastIndexOf("/")) : "", list: "patterns" };
}

/** Whether there may be rows with so many elements. */
export function isAnyAt(depths: number, elements: number): boolean {
  return ((depths >>> Math.min(elements, MOST)) & 1) === 1;
}

function counted(routes: HostRoutes, key: string, list: keyof PathRows, change: number): Partial<HostRoutes> {
  const which = list === "exact" ? "exactDepths" : "depths";
  const depth = Math.min(countElements(key), MOST);
  const counts = routes.counts[which].slice();
  while (counts.length <= depth) counts.push(0);
  counts[depth] = (counts[depth] ?? 0) + change;
  const bits = counts.reduce((all, count, at) => (count > 0 ? all | (1 << at) : all), 0);
  return { [which]: bits, counts: { ...routes.counts, [which]: counts } };
}
