import { conditionsOf } from "./condition.ts";
import type { Condition } from "./condition.ts";
import { literalPrefix } from "./literal-prefix.ts";
import type { MatchRow } from "./match-row.ts";
import { pathElements, placeholder } from "./path-elements.ts";
import type { MatchedRoute, Question } from "./route-table.ts";
import { mustCompile } from "./whole-pattern.ts";
import type { WholePattern } from "./whole-pattern.ts";

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** A row as a table keeps it: patterns compiled once. */
export interface CompiledRow {
  readonly row: MatchRow;
  readonly conditions: readonly Condition[];
  /** Only of rows whose path is a pattern. */
  readonly pattern: WholePattern | undefined;
  /** What every path begins with that the pattern matches. */
  readonly literal: string;
  /** The answer when nothing in the path has a name. */
  readonly matched: MatchedRoute;
}

/** Throws for a pattern that is not RE2: those who make rows check them. */
export function compileRow(row: MatchRow): CompiledRow {
  const { path, route } = row;
  const matched = { route, parameters: NO_PARAMETERS };
  const conditions = conditionsOf(row);
  if (path.type !== "regex") return { row, conditions, pattern: undefined, literal: "", matched };
  const pattern = mustCompile(path.value);
  return { row, conditions, pattern, literal: literalPrefix(path.value), matched };
}

/** Whether everything besides host and path holds. */
export function rowHolds(row: CompiledRow, question: Question, host: string): boolean {
  const { conditions } = row;
  for (let at = 0; at < conditions.length; at++) if (!conditions[at]!.holds(question, host)) return false;
  return true;
}

/** The route of a row that holds, and what its names in the path stand for. */
export function matchedBy(compiled: CompiledRow, { path, operation }: Question): MatchedRoute {
  const found = withParameters(compiled, path);
  const isUnsure = compiled.row.operation !== undefined && operation === undefined;
  return isUnsure ? { ...found, needsOperation: true } : found;
}

function withParameters({ row, pattern, matched }: CompiledRow, path: string): MatchedRoute {
  if (pattern !== undefined) {
    const parameters = pattern.groups(path);
    return parameters.size === 0 ? matched : { route: row.route, parameters };
  }
  return row.path.type === "template" ? { route: row.route, parameters: named(row.path.value, path) } : matched;
}

function named(template: string, path: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const elements = path.split("/");
  for (const [at, element] of pathElements(template).entries()) {
    const slot = placeholder(element);
    if (slot === undefined) continue;
    const value = elements[at + 1] ?? "";
    if (slot.name !== "*") parameters.set(slot.name, value);
    if (slot.pattern?.includes("(?P<") === true)
      for (const [name, part] of mustCompile(slot.pattern).groups(value)) parameters.set(name, part);
  }
  return parameters;
}
