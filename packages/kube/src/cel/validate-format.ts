import type { CallExpr, Expr } from "./ast.ts";
import type { CheckedExpr } from "./checker.ts";
import type { CelIssue } from "./issue.ts";
import { clauseComplaints, parseFormat } from "./string-format.ts";
import type { CelType } from "./types.ts";

const integers = ["int", "uint"];
const accepted: ReadonlyMap<string, readonly string[]> = new Map([
  ["s", ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"]],
  ["d", integers],
  ["o", integers],
  ["f", ["double", "string"]],
  ["e", ["double", "string"]],
  ["b", [...integers, "bool"]],
  ["x", [...integers, "string", "bytes"]],
  ["X", [...integers, "string", "bytes"]],
]);

/** What is wrong with `'literal'.format([...])`, as far as its text and the types of its arguments tell. */
export function formatProblem(checked: CheckedExpr, call: CallExpr): CelIssue | undefined {
  const [list] = call.args;
  if (call.target?.kind !== "literal" || typeof call.target.value !== "string" || list?.kind !== "list")
    return undefined;
  const here = (message: string): CelIssue => ({ offset: call.offset, message });
  let next = 0;
  for (const part of parseFormat(call.target.value)) {
    if (typeof part === "string") continue;
    if ("problem" in part) return here(part.problem);
    const item = list.items[next];
    if (item === undefined) return here(`index ${next} out of range`);
    next++;
    const complaint = clauseComplaints.get(part.verb);
    if (complaint === undefined)
      return here(`could not parse formatting clause: unrecognized formatting clause "${part.verb}"`);
    const bad =
      part.verb === "s" ? unprintable(checked, item) : takes(part.verb, checked.typeOf(item)) ? undefined : item;
    if (bad !== undefined) {
      return {
        offset: bad.offset,
        message: `error during formatting: ${complaint}, was given ${runtimeName(checked.typeOf(bad))}`,
      };
    }
  }
  return list.items.length > next
    ? here(`too many arguments supplied to string.format (expected ${next}, got ${list.items.length})`)
    : undefined;
}

function takes(verb: string, type: CelType): boolean {
  return type.kind === "dyn" || accepted.get(verb)!.includes(type.kind);
}

/** The first part of an argument that `%s` cannot print. */
function unprintable(checked: CheckedExpr, expr: Expr): Expr | undefined {
  if (!takes("s", checked.typeOf(expr))) return expr;
  const parts =
    expr.kind === "list"
      ? expr.items
      : expr.kind === "map"
        ? expr.entries.flatMap((entry) => [entry.key, entry.value])
        : [];
  for (const part of parts) {
    const bad = unprintable(checked, part);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function runtimeName(type: CelType): string {
  switch (type.kind) {
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "null":
      return "null_type";
    default:
      return "name" in type ? type.name : type.kind;
  }
}
