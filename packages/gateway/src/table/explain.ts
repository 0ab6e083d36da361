import { hostOf } from "../exchange/authority.ts";
import { allRows, pathCandidates } from "./candidates.ts";
import type { CompiledRow } from "./compiled-row.ts";
import type { MatchRow, PathMatch } from "./match-row.ts";
import type { Question } from "./route-table.ts";
import type { HostGroup, RoutingTable } from "./routing-table.ts";
import { ROW_ORDER } from "./row-order.ts";

/** What became of one row that a request could have gone by. */
export interface Candidate {
  /** `APIRoute default/hello`. */
  readonly route: string;
  /** `a.example.com`, `*.example.com`, or `*` for any. */
  readonly host: string;
  /** `/api and below`, `exactly /api`. */
  readonly path: string;
  /** Which of the ways to its route it is, from 0. */
  readonly place: number;
  readonly verdict: "wins" | "ranks lower" | "does not hold";
  /** For people: the first thing that does not hold, or why another row is asked before it. */
  readonly because: string;
}

/** Where a request goes, and why not elsewhere. */
export interface Explanation {
  readonly winner: Candidate | undefined;
  /** Those nearest to winning first. */
  readonly others: readonly Candidate[];
  /** How many more rows the request's host has, none of which it goes by. */
  readonly notListed: number;
  /** The same for people, a line each. */
  readonly lines: readonly string[];
}

/** What to explain: no more than `limit` other rows, or only those of one route by its id. */
export interface ExplainOptions {
  readonly limit?: number;
  readonly route?: string;
}

const DEFAULT_LIMIT = 20;

/** Explains what a table does with a request. Looks at all rows of the request's hosts; what it tells is limited. */
export function explain(table: RoutingTable, question: Question, options: ExplainOptions = {}): Explanation {
  const host = hostOf(question.head.authority);
  const wanted = ({ row }: CompiledRow): boolean => options.route === undefined || row.route.id === options.route;
  const limit = options.limit ?? DEFAULT_LIMIT;
  let won: { readonly row: CompiledRow; readonly group: HostGroup } | undefined;
  const near: Candidate[] = [];
  const far: { readonly row: CompiledRow; readonly group: HostGroup; readonly shared: number }[] = [];
  let total = 0;
  for (const group of table.groups(host)) {
    const candidates = pathCandidates(group.routes, question.path);
    for (const row of candidates) {
      const missed = row.conditions.find((condition) => !condition.holds(question, host));
      if (missed === undefined && won === undefined) won = { row, group };
      else if (!wanted(row)) continue;
      else if (missed !== undefined) {
        const because = `it wants ${missed.wants}, the request has ${missed.got(question, host)}`;
        near.push(candidate(row, group, "does not hold", because));
      } else if (won !== undefined) near.push(candidate(row, group, "ranks lower", whyLower(won, { row, group })));
    }
    const held = new Set(candidates);
    for (const row of allRows(group.routes)) {
      total++;
      if (held.has(row) || !wanted(row)) continue;
      keepNearest(far, { row, group, shared: sharedLength(row.row.path.value, question.path) }, limit);
    }
  }
  const misses = far.map(({ row, group }) =>
    candidate(
      row,
      group,
      "does not hold",
      `it wants the path ${pathText(row.row.path)}, the request has ${question.path}`,
    ),
  );
  const others = [...near, ...misses].slice(0, limit);
  const winner = won && candidate(won.row, won.group, "wins", whyWins(won.row, question));
  const notListed = total - others.length - (winner === undefined ? 0 : 1);
  return { winner, others, notListed, lines: linesOf(question, winner, others, notListed) };
}

function candidate({ row }: CompiledRow, group: HostGroup, verdict: Candidate["verdict"], because: string): Candidate {
  return { route: row.route.id, host: group.name, path: pathText(row.path), place: row.place, verdict, because };
}

function whyWins({ row }: CompiledRow, { operation }: Question): string {
  const isUnsure = row.operation !== undefined && operation === undefined;
  return `it is the first row that holds${isUnsure ? ", if the request has such an operation" : ""}`;
}

interface Ranked {
  readonly row: CompiledRow;
  readonly group: HostGroup;
}

/** Both hold, and `winner` is asked first. */
function whyLower(winner: Ranked, loser: Ranked): string {
  const name = winner.row.row.route.id;
  if (winner.group.name !== loser.group.name) return `${name} is asked first: its host is more specific`;
  const better = winner.row.row;
  const worse = loser.row.row;
  if (pathSpecificity(better) !== pathSpecificity(worse)) return `${name} is asked first: its path is more specific`;
  const rule = ROW_ORDER.find(({ compare }) => compare(better, worse) < 0);
  return rule === undefined ? `${name} says the same` : `${name} is asked first: ${rule.because}`;
}

/** Equal for rows whose paths are equally specific, given that both hold for one request. */
function pathSpecificity({ path }: MatchRow): string {
  if (path.type === "regex") return `pattern of ${path.value.length}`;
  if (path.type === "exact") return "exact";
  return `${path.type === "template" && !path.prefix} ${path.value.replace(/\/$/, "").replaceAll(/\{[^/:]*/g, "{")}`;
}

/** A path as people read it. */
function pathText(path: PathMatch): string {
  if (path.type === "exact") return `exactly ${path.value}`;
  if (path.type === "regex") return `matching ${path.value}`;
  return path.type === "template" && !path.prefix ? `exactly ${path.value}` : `${path.value} and below`;
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** Keeps the few whose path has most in common with the request's. */
function keepNearest<T extends { readonly shared: number }>(kept: T[], one: T, limit: number): void {
  if (limit === 0 || (kept.length === limit && (kept.at(-1)?.shared ?? 0) >= one.shared)) return;
  let at = kept.length;
  while (at > 0 && (kept[at - 1]?.shared ?? 0) < one.shared) at--;
  kept.splice(at, 0, one);
  if (kept.length > limit) kept.pop();
}

function linesOf(
  { head, path, query }: Question,
  winner: Candidate | undefined,
  others: readonly Candidate[],
  notListed: number,
): string[] {
  const asked = `${head.method} ${head.authority}${path}${query === "" ? "" : `?${query}`}`;
  const lines = [
    winner === undefined
      ? `${asked} goes nowhere: no route holds, the answer is 404`
      : `${asked} goes to ${winner.route} (host ${winner.host}, path ${winner.path}): ${winner.because}`,
  ];
  for (const { route, host, path: wants, verdict, because } of others)
    lines.push(`  ${route} (host ${host}, path ${wants}) ${verdict}: ${because}`);
  if (notListed > 0) lines.push(`  ${notListed} more do not take it`);
  return lines;
}
