import { parseFieldPath } from "../field-path.ts";
import type { FieldPath } from "../field-path.ts";

/** Where a value of a template comes from: `.a.b` of what is looked at, `$.a.b` of the whole. */
export interface Reference {
  readonly from: "dot" | "root";
  readonly path: FieldPath;
}

/** A piece of a template. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "value"; readonly of: Reference; readonly json: boolean }
  | {
      readonly type: "if";
      readonly of: Reference;
      readonly body: readonly Piece[];
      readonly otherwise: readonly Piece[];
    }
  | {
      readonly type: "range";
      readonly of: Reference;
      readonly body: readonly Piece[];
      readonly otherwise: readonly Piece[];
    };

/** A template uses something that is not in the subset, or is not closed properly. The message says what. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
}

const ACTION = /\{\{(-\s)?((?:[^}"]|"(?:[^"\\]|\\.)*"|\}(?!\}))*?)(\s-)?\}\}/g;
const MAX_NESTING = 32;

/**
 * Reads the subset of Go's templates that is supported: `{{ .a.b }}`, `{{ $.a }}`, `{{ . }}`, `{{ json .a }}`, `{{ .a | json }}`,
 * `{{ if .a }}`, `{{ range .a }}`, `{{ else }}`, `{{ end }}`, comments, and `{{-`, `-}}` to trim blanks. Everything else throws
 * TemplateSyntaxError.
 */
export function parseTemplate(text: string): readonly Piece[] {
  const top: Piece[] = [];
  const open: { piece: "if" | "range"; of: Reference; body: Piece[]; otherwise: Piece[] | undefined }[] = [];
  const current = (): Piece[] => {
    const inner = open.at(-1);
    return inner === undefined ? top : (inner.otherwise ?? inner.body);
  };
  let at = 0;
  let trim = false;
  const literal = (end: number, trimEnd: boolean): void => {
    let piece = text.slice(at, end);
    if (piece.includes("{{")) throw new TemplateSyntaxError("an action is not closed");
    if (trim) piece = piece.trimStart();
    if (trimEnd) piece = piece.trimEnd();
    if (piece !== "") current().push({ type: "text", text: piece });
  };
  for (const found of text.matchAll(ACTION)) {
    literal(found.index, found[1] !== undefined);
    at = found.index + found[0].length;
    trim = found[3] !== undefined;
    const action = (found[2] ?? "").trim();
    const [word = "", ...rest] = action.split(/\s+/);
    if (/^\/\*.*\*\/$/s.test(action)) continue;
    if (word === "if" || word === "range") {
      if (open.length === MAX_NESTING) throw new TemplateSyntaxError("it nests too deeply");
      open.push({ piece: word, of: reference(rest.join(" ")), body: [], otherwise: undefined });
    } else if (action === "else") {
      const inner = open.at(-1);
      if (inner === undefined || inner.otherwise !== undefined) throw new TemplateSyntaxError("else has no if");
      inner.otherwise = [];
    } else if (action === "end") {
      const inner = open.pop();
      if (inner === undefined) throw new TemplateSyntaxError("end has nothing to end");
      current().push({ type: inner.piece, of: inner.of, body: inner.body, otherwise: inner.otherwise ?? [] });
    } else {
      current().push(value(action));
    }
  }
  literal(text.length, false);
  if (open.length > 0) throw new TemplateSyntaxError("an end is missing");
  return top;
}

function value(action: string): Piece {
  const json = /^json\s+(\S+)$/.exec(action) ?? /^(\S+)\s*\|\s*json$/.exec(action);
  return { type: "value", of: reference(json?.[1] ?? action), json: json !== null };
}

function reference(text: string): Reference {
  const unsupported = (): TemplateSyntaxError => new TemplateSyntaxError(`${JSON.stringify(text)} is not supported`);
  if (text === "." || text === "$") return { from: text === "." ? "dot" : "root", path: [] };
  const found = /^(\$?)\.([A-Za-z0-9_.-]+)$/.exec(text);
  const path = parseFieldPath(found?.[2] ?? "");
  if (found === null || path === undefined) throw unsupported();
  return { from: found[1] === "" ? "dot" : "root", path };
}
