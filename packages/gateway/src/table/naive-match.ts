import { RE2JS } from "re2js";
import type { FieldMatch, MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";
import { compareWholeRows } from "./whole-order.ts";

/** What tables have to answer, by looking at every row: sorted as the documents say, the first that holds. For tests. */
export function naiveMatch(rows: readonly MatchRow[], question: Question): MatchRow | undefined {
  return rows.filter((row) => holds(row, question)).toSorted(compareWholeRows)[0];
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
