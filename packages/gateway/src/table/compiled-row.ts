import { conditionsOf } from "./condition.ts";
import type { Condition } from "./condition.ts";
import { literalPrefix } from "./literal-prefix.ts";
import type { MatchRow, PathMatch } from "./match-row.ts";
import { pathElements, placeholder } from "./path-elements.ts";
import type { MatchedRoute, Question } from "./route-table.ts";
import { mustCompile } from "./whole-pattern.ts";
import type { WholePattern } from "./whole-pattern.ts";

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** An element of a template with a name, or with names within it. */
interface NamedElement {
  /** The place among the parts of a path between slashes. */
  readonly at: number;
  /** Undefined: it has no name as a whole. */
  readonly name: string | undefined;
  /** With names within it. */
  readonly pattern: WholePattern | undefined;
}

const NO_NAMES: readonly NamedElement[] = [];

/** A row as a table keeps it: patterns compiled once. */
export interface CompiledRow {
  readonly row: MatchRow;
  readonly conditions: readonly Condition[];
  /** Only of rows whose path is a pattern. */
  readonly pattern: WholePattern | undefined;
  /** What every path begins with that the pattern matches. */
  readonly literal: string;
  /** Only of templates: what has a name. */
  readonly names: readonly NamedElement[];
  /** Nothing in the path has a name, and no operation is asked for: `matched` is the answer. */
  readonly isPlain: boolean;
  /** The answer when nothing in the path has a name. */
  readonly matched: MatchedRoute;
}

/** Throws for a pattern that is not RE2: those who make rows check them. */
export function compileRow(row: MatchRow): CompiledRow {
  const { path, route } = row;
  const matched = { route, path, parameters: NO_PARAMETERS };
  const conditions = conditionsOf(row);
  const pattern = path.type === "regex" ? mustCompile(path.value) : undefined;
  const names = path.type === "template" ? namedElements(path.value) : NO_NAMES;
  const literal = pattern === undefined ? "" : literalPrefix(path.value);
  const isPlain = pattern === undefined && names.length === 0 && row.operation === undefined;
  return { row, conditions, pattern, literal, names, isPlain, matched };
}

function namedElements(template: string): readonly NamedElement[] {
  return pathElements(template).flatMap((element, index) => {
    const slot = placeholder(element);
    const name = slot === undefined || slot.name === "*" ? undefined : slot.name;
    const pattern = slot?.pattern?.includes("(?P<") === true ? mustCompile(slot.pattern) : undefined;
    return name === undefined && pattern === undefined ? [] : { at: index + 1, name, pattern };
  });
}

/** The names in a path that a request's path gives values. */
export function pathNames(path: PathMatch): ReadonlySet<string> {
  if (path.type === "regex") return new Set(mustCompile(path.value).names);
  if (path.type !== "template") return new Set();
  return new Set(
    namedElements(path.value).flatMap(({ name, pattern }) => [
      ...(name === undefined ? [] : [name]),
      ...(pattern?.names ?? []),
    ]),
  );
}

/** Whether the pattern of a row matches a path; rows without one need none. */
export function patternHolds({ pattern, literal }: CompiledRow, path: string): boolean {
  return pattern === undefined || (path.startsWith(literal) && pattern.matches(path));
}

/** Whether everything besides host and path holds. */
export function rowHolds(row: CompiledRow, question: Question, host: string): boolean {
  const { conditions } = row;
  for (let at = 0; at < conditions.length; at++) if (!conditions[at]!.holds(question, host)) return false;
  return true;
}

/** The route of a row that holds, and what its names in the path stand for. Of most rows nothing more is looked at than this. */
export function matchedBy(compiled: CompiledRow, { path, operation }: Question): MatchedRoute {
  if (compiled.isPlain) return compiled.matched;
  const found = withParameters(compiled, path);
  const isUnsure = compiled.row.operation !== undefined && operation === undefined;
  return isUnsure ? { ...found, needsOperation: true } : found;
}

function withParameters({ pattern, names, matched }: CompiledRow, path: string): MatchedRoute {
  if (pattern !== undefined) {
    const parameters = pattern.groups(path);
    return parameters.size === 0 ? matched : { ...matched, parameters };
  }
  if (names.length === 0) return matched;
  const parameters = new Map<string, string>();
  const elements = path.split("/");
  for (const { at, name, pattern: within } of names) {
    const value = elements[at] ?? "";
    if (name !== undefined) parameters.set(name, value);
    for (const [part, text] of within?.groups(value) ?? []) parameters.set(part, text);
  }
  return { ...matched, parameters };
}
