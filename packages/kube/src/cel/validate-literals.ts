import type { CallExpr, Expr } from "./ast.ts";
import type { CheckedExpr } from "./checker.ts";
import { formatProblem } from "./validate-format.ts";
import type { CelIssue } from "./issue.ts";
import { compileRegex } from "./regex.ts";
import { parseDuration, parseTimestamp } from "./time.ts";
import { formatType, optionalOf, sameType } from "./types.ts";
import type { CelType } from "./types.ts";

/** Finds literals that can only fail when the expression runs, and lists and maps of mixed types. */
export function validateLiterals(checked: CheckedExpr): CelIssue[] {
  const issues: CelIssue[] = [];
  const seen = new Set<Expr>();
  const visit = (expr: Expr, mixedAllowed: boolean): void => {
    if (seen.has(expr)) return;
    seen.add(expr);
    if (expr.kind === "call") validateCall(checked, expr, issues);
    else if (!mixedAllowed) validateAggregate(checked, expr, issues);
    const allowed = mixedAllowed || (expr.kind === "call" && expr.fn === "format");
    for (const child of children(expr)) visit(child, allowed);
  };
  visit(checked.expr, false);
  return issues;
}

function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.items;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return expr.fields.map((field) => field.value);
    case "comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

const literalChecks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["duration", (text: string) => parseDuration(text) !== undefined],
  ["timestamp", (text: string) => parseTimestamp(text) !== undefined],
  ["matches", (text: string) => compileRegex(text) !== undefined],
]);

function validateCall(checked: CheckedExpr, expr: CallExpr, issues: CelIssue[]): void {
  const fn = checked.calls.get(expr)?.fn ?? expr.fn;
  const holds = literalChecks.get(fn);
  const argument = expr.args[0];
  if (
    holds !== undefined &&
    argument?.kind === "literal" &&
    typeof argument.value === "string" &&
    !holds(argument.value)
  ) {
    issues.push({ offset: argument.offset, message: `invalid ${fn} argument` });
  }
  if (fn !== "format") return;
  const problem = formatProblem(checked, expr);
  if (problem !== undefined) issues.push(problem);
}

function validateAggregate(checked: CheckedExpr, expr: Expr, issues: CelIssue[]): void {
  const typeOf = (part: Expr, optional: boolean): CelType => {
    const type = checked.typeOf(part);
    return optional ? (optionalOf(type) ?? type) : type;
  };
  const mismatch = (part: Expr, expected: CelType, found: CelType): void => {
    issues.push({
      offset: part.offset,
      message: `expected type '${formatType(expected)}' but found '${formatType(found)}'`,
    });
  };
  if (expr.kind === "list") {
    const types = expr.items.map((item, i) => typeOf(item, expr.optional.has(i)));
    const odd = types.findIndex((type) => !sameType(types[0]!, type));
    if (odd > 0) mismatch(expr.items[odd]!, types[0]!, types[odd]!);
  }
  if (expr.kind !== "map" || expr.entries[0] === undefined) return;
  const key = typeOf(expr.entries[0].key, false);
  const value = typeOf(expr.entries[0].value, expr.entries[0].optional);
  for (const entry of expr.entries.slice(1)) {
    const entryKey = typeOf(entry.key, false);
    const entryValue = typeOf(entry.value, entry.optional);
    if (!sameType(key, entryKey)) mismatch(entry.key, key, entryKey);
    if (!sameType(value, entryValue)) mismatch(entry.value, value, entryValue);
  }
}
