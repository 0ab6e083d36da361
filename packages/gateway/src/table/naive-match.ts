import { RE2JS } from "re2js";
import type { FieldMatch, MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";

/** What tables have to answer, by looking at every row: sorted as the documents say, the first that holds. For tests. */
export function naiveMatch(rows: readonly MatchRow[], question: Question): MatchRow | undefined {
  return rows.filter((row) => holds(row, question)).toSorted(naiveOrder)[0];
}

function naiveOrder(a: MatchRow, b: MatchRow): number {
  const left = key(a);
  const right = key(b);
  for (const [at, value] of left.entries()) {
    const other = right[at] ?? "";
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

/** Compared from left to right, the smaller first. */
function key(row: MatchRow): (number | string)[] {
  const { host, path, route } = row;
  const hostRank = host === undefined ? 2 : host.startsWith("*.") ? 1 : 0;
  const pathRank = path.type === "exact" ? 0 : path.type === "regex" ? 2 : 1;
  const complete = path.type === "template" && !path.prefix;
  const elements = pathRank === 1 ? (complete ? path.value : path.value.replace(/\/$/, "")).split("/").slice(1) : [];
  const shape = elements.map((element) => (path.type === "template" ? elementRank(element) : "a")).join(" ");
  return [
    hostRank,
    -(host?.length ?? 0),
    pathRank,
    -elements.length,
    shape,
    complete ? 0 : 1,
    pathRank === 2 ? -path.value.length : 0,
    row.methods === undefined && row.grpc !== true ? 1 : 0,
    -row.headers.length,
    -row.query.length,
    row.createdAt,
    `${route.namespace}/${route.name}`,
    row.place,
  ];
}

/** Literal, then the longer pattern, then any. */
function elementRank(element: string): string {
  if (!element.startsWith("{")) return "a";
  const [, pattern] = /:(.*)\}$/.exec(element) ?? [];
  return pattern === undefined ? "c" : `b${String(1000 - pattern.length)}${pattern}`;
}

function elementHolds(wanted: string, given: string): boolean {
  if (!wanted.startsWith("{")) return wanted === given;
  const [, pattern] = /:(.*)\}$/.exec(wanted) ?? [];
  return given !== "" && (pattern === undefined || RE2JS.matches(pattern, given));
}

function holds(row: MatchRow, { head, path, query, isGrpc }: Question): boolean {
  const host = head.authority.replace(/:\d+$/, "").replace(/\.$/, "");
  const parameters = new URLSearchParams(query);
  return (
    hostHolds(row.host, host) &&
    pathHolds(row.path, path) &&
    (row.methods === undefined || row.methods.has(head.method) || (head.method === "HEAD" && row.methods.has("GET"))) &&
    (row.grpc === undefined || row.grpc === isGrpc) &&
    row.headers.every(({ name, test }) => fieldHolds(test, name === "host" ? host : head.fields.get(name))) &&
    row.query.every(({ name, test }) => fieldHolds(test, parameters.get(name) ?? undefined))
  );
}

function hostHolds(wanted: string | undefined, host: string): boolean {
  if (wanted === undefined) return true;
  if (!wanted.startsWith("*.")) return wanted === host;
  return host.endsWith(wanted.slice(1)) && host.length >= wanted.length;
}

function pathHolds(wanted: MatchRow["path"], path: string): boolean {
  if (wanted.type === "exact") return path === wanted.value;
  if (wanted.type === "regex") return RE2JS.matches(wanted.value, path);
  const complete = wanted.type === "template" && !wanted.prefix;
  const elements = (complete ? wanted.value : wanted.value.replace(/\/$/, "")).split("/");
  const given = path.split("/");
  if (complete ? given.length !== elements.length : given.length < elements.length) return false;
  if (!path.startsWith("/")) return false;
  return elements.every((element, at) =>
    wanted.type === "template" ? elementHolds(element, given[at] ?? "") : element === given[at],
  );
}

function fieldHolds(test: FieldMatch["test"], value: string | undefined): boolean {
  if (test.type === "present") return value !== undefined;
  if (test.type === "absent") return value === undefined;
  if (value === undefined) return false;
  if (test.type === "exact") return value === test.value;
  if (test.type === "prefix") return value.startsWith(test.value);
  return RE2JS.matches(test.value, value);
}
