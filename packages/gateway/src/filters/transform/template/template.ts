import type { Json } from "@gatewright/kube";
import type { Call } from "../../../pipeline/call.ts";
import { asText, callSource } from "../call-source.ts";
import type { CallSource } from "../call-source.ts";
import { valueAt } from "../field-path.ts";
import type { FieldPath } from "../field-path.ts";
import { formatJson, isRecord } from "../json-text.ts";
import { TemplateSyntaxError, parseTemplate } from "./template-parser.ts";
import type { Piece, Reference } from "./template-parser.ts";

/** A template that was checked. */
export interface Template {
  /** The text for a call and the body that it is about. */
  render(call: Call, body: Json | undefined): string;
}

/**
 * `json`: what comes out is JSON, whatever the values hold. Within quotes of the template a value is escaped as a part of that string;
 * elsewhere it is written as JSON. Names are fields of the body, except `request`, `response` and `body` (the whole body), `headers`,
 * `metadata`, `jwt` and `context` (about the call, as sources name it: `context.client.ip`).
 * `text`: plain text; every name is a source of the call.
 */
export type TemplateKind = "json" | "text";

const WHOLE_BODY: ReadonlySet<unknown> = new Set(["request", "response", "body"]);
const ABOUT_CALL: ReadonlySet<unknown> = new Set(["headers", "metadata", "jwt"]);

interface State {
  readonly call: Call;
  readonly body: Json | undefined;
  readonly dot: Json | undefined;
}
type Read = (state: State) => Json | undefined;
type Write = (state: State) => string;

/** Compiles a template. Throws TemplateSyntaxError when it uses what is not supported. */
export function compileTemplate(text: string, kind: TemplateKind): Template {
  const { write, inString } = sequence(parseTemplate(text), kind, false, true);
  if (inString && kind === "json") throw new TemplateSyntaxError("a quote is not closed");
  return { render: (call, body) => write({ call, body, dot: body }) };
}

/** Pieces in a row. `inString` says whether the text stands within quotes, before and after. */
function sequence(
  pieces: readonly Piece[],
  kind: TemplateKind,
  inString: boolean,
  atRoot: boolean,
): { readonly write: Write; readonly inString: boolean } {
  const writes: Write[] = [];
  let quoted = inString;
  for (const piece of pieces) {
    if (piece.type === "text") {
      if (kind === "json") quoted = quotedAfter(piece.text, quoted);
      writes.push(() => piece.text);
      continue;
    }
    const read = reader(piece.of, kind, atRoot);
    if (piece.type === "value") {
      const within = quoted;
      writes.push((state) => printed(read(state), kind, piece.json, within));
      continue;
    }
    const isRange = piece.type === "range";
    const then = sequence(piece.body, kind, quoted, atRoot && !isRange);
    const otherwise = sequence(piece.otherwise, kind, quoted, atRoot);
    if (then.inString !== quoted || otherwise.inString !== quoted)
      throw new TemplateSyntaxError(`quotes within ${piece.type} are not closed`);
    writes.push((state) => {
      const value = read(state);
      if (!isTrue(value)) return otherwise.write(state);
      if (!isRange) return then.write(state);
      return itemsOf(value)
        .map((dot) => then.write({ ...state, dot }))
        .join("");
    });
  }
  return { write: (state) => writes.map((write) => write(state)).join(""), inString: quoted };
}

function reader(of: Reference, kind: TemplateKind, atRoot: boolean): Read {
  const { path } = of;
  if (of.from === "dot" && !atRoot) return ({ dot }) => valueAt(dot, path);
  const source = sourceOf(path, kind);
  if (source !== undefined) return ({ call }) => source(call);
  if (kind === "text") throw new TemplateSyntaxError(`.${path.map(String).join(".")} is not known`);
  const inBody = WHOLE_BODY.has(path[0]) ? path.slice(1) : path;
  return ({ body }) => valueAt(body, inBody);
}

function sourceOf(path: FieldPath, kind: TemplateKind): CallSource | undefined {
  const name = path.map(String).join(".");
  if (kind === "text") return callSource(name);
  if (ABOUT_CALL.has(path[0])) return callSource(name) ?? (() => undefined);
  if (path[0] !== "context") return undefined;
  return callSource(name) ?? callSource(path.slice(1).map(String).join(".")) ?? (() => undefined);
}

function printed(value: Json | undefined, kind: TemplateKind, json: boolean, inString: boolean): string {
  if (json) return inString ? escaped(formatJson(value ?? null)) : formatJson(value ?? null);
  if (kind === "text") return value === undefined || value === null ? "" : asText(value);
  if (!inString) return formatJson(value ?? null);
  if (value === undefined || value === null) return "";
  return escaped(typeof value === "string" ? value : formatJson(value));
}

/** Text as it may stand within the quotes of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function quotedAfter(text: string, before: boolean): boolean {
  let quoted = before;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === "\\") at++;
    else if (character === '"') quoted = !quoted;
  }
  return quoted;
}

function isTrue(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  if (typeof value === "object" && value !== null) return Number(formatJson(value)) !== 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

function itemsOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}
