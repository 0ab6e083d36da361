/** Something wrong with an expression, found before it ran. */
export interface CelIssue {
  /** Where, in UTF-16 units from the start; undefined when the problem has no place. */
  readonly offset: number | undefined;
  readonly message: string;
}

const maxShown = 100;

/** Issues as the API server prints them: one block per issue with the source line and a caret, in source order. */
export function formatIssues(expression: string, issues: readonly CelIssue[]): string {
  const placed = issues
    .slice(0, maxShown)
    .map((issue) => ({ ...locate(expression, issue.offset), message: issue.message }));
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  const blocks = placed.map((issue) => formatBlock(expression, issue));
  if (issues.length > maxShown) blocks.push(`${issues.length - maxShown} more errors were truncated`);
  return blocks.join("\n");
}

interface Place {
  readonly line: number;
  /** Code points before the place in its line. */
  readonly column: number;
}

function locate(expression: string, offset: number | undefined): Place {
  if (offset === undefined) return { line: -1, column: -1 };
  if (expression === "") return { line: 1, column: -1 };
  const before = expression.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { line, column: Array.from(before.slice(lineStart)).length };
}

function formatBlock(expression: string, issue: Place & { message: string }): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
  const source = issue.line < 1 || expression === "" ? undefined : expression.split("\n")[issue.line - 1];
  if (source === undefined || source.length > 16384) return head;
  const shown = source.replaceAll("\t", " ");
  const points = Array.from(shown);
  const dots = points.slice(0, issue.column).map((point) => (isWide(point) ? "．" : "."));
  const caret = isWide(points[issue.column] ?? " ") ? "＾" : "^";
  return `${head}\n | ${shown}\n | ${dots.join("")}${caret}`;
}

function isWide(point: string): boolean {
  return point.codePointAt(0)! > 0x7f;
}
