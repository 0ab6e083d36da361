import { patternHolds } from "./compiled-row.ts";
import type { CompiledRow } from "./compiled-row.ts";
import type { HostRoutes } from "./host-routes.ts";
import { countElements } from "./path-elements.ts";
import type { PathNode } from "./path-node.ts";
import { pathWay } from "./path-way.ts";
import { compareRegexRows } from "./row-order.ts";

/** All rows of a host whose path a request has, in the order in which they are asked. */
export function pathCandidates(routes: HostRoutes, path: string): CompiledRow[] {
  const found = [...(routes.paths.get(path)?.exact.all() ?? [])];
  const patterns: CompiledRow[] = [];
  const way = [...pathWay(routes.templates, path)];
  const elements = countElements(path);
  const rooted = path.startsWith("/");
  let end = path.length;
  for (let depth = elements; depth >= 0; depth--, end = path.lastIndexOf("/", end - 1)) {
    while ((way[0]?.depth ?? -1) > depth) found.push(...nodeRows(way.shift()!, elements));
    const rows = routes.paths.get(rooted ? path.slice(0, end) : "");
    if (rooted) found.push(...(rows?.open.all() ?? []));
    patterns.push(...(rows?.patterns.all() ?? []).filter((row) => patternHolds(row, path)));
    if (!rooted) break;
  }
  return [...found, ...patterns.toSorted((a, b) => compareRegexRows(a.row, b.row))];
}

function nodeRows(node: PathNode, elements: number): readonly CompiledRow[] {
  return node.depth === elements ? [...node.complete.all(), ...node.open.all()] : node.open.all();
}

/** All rows of a host, in no order that means anything. */
export function* allRows(routes: HostRoutes): Generator<CompiledRow> {
  for (const rows of routes.paths.values()) {
    yield* rows.exact.all();
    yield* rows.open.all();
    yield* rows.patterns.all();
  }
  const nodes = routes.templates === undefined ? [] : [routes.templates];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    yield* node.complete.all();
    yield* node.open.all();
    if (node.any !== undefined) nodes.push(node.any);
    nodes.push(...node.patterned.map((one) => one.node));
    nodes.push(...(node.children?.values() ?? []));
  }
}
