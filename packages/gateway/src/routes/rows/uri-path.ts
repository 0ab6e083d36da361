import { withNormalEscapes } from "../../exchange/target.ts";
import type { PathMatch } from "../../table/match-row.ts";
import { patternElement, placeholder } from "../../table/path-elements.ts";
import type { RowDraft } from "./row-draft.ts";
import { textOf } from "./text-of.ts";
import type { StringMatchSpec } from "./text-of.ts";

const EVERYTHING: PathMatch = { type: "prefix", value: "/" };
/** An element that is a name as a whole. */
const WHOLE = /^\{[^{}:/]*\}$/;
/** A name that is part of an element. */
const NAME = /\{[A-Za-z_][A-Za-z0-9_]*\}/;
const NAMES = new RegExp(NAME, "g");
const NAMES_AND_WILDCARDS = new RegExp(String.raw`${NAME.source}|\*\*|\*|\?`, "g");

/**
 * The path that `uri` writes. `{name}` in exact paths and prefixes stands for one element or a part of one. In prefixes `*` stands for
 * a part of an element, `?` for one character, and then the path has to end where the prefix does, unless that ends with `**`, which
 * stands for all that follows. Characters that requests have to escape may be written as they are. Undefined: something is wrong with
 * it, and was said.
 */
export function uriPath(draft: RowDraft, field: string, spec: StringMatchSpec | undefined): PathMatch | undefined {
  const uri = textOf(spec);
  if (uri === undefined) return EVERYTHING;
  const { type } = uri;
  const where = `${field}.${type}`;
  if (type === "regex") return draft.checkPattern(where, uri.value) ? { type, value: uri.value } : undefined;
  const value = withNormalEscapes(uri.value);
  if (!value.startsWith("/")) {
    draft.fail(where, "has to begin with a slash");
    return undefined;
  }
  if (value.includes("?") && type === "exact") draft.warn(where, "never matches: a path ends before the question mark");
  if (value.includes("#")) draft.warn(where, "never matches: clients do not send what follows #");
  const names = value.match(NAMES) ?? [];
  if (new Set(names).size < names.length) {
    draft.fail(where, "has a name that stands for two parts");
    return undefined;
  }
  if (type === "prefix" && /[*?]/.test(value)) return globPath(value);
  if (!NAME.test(value) && !value.split("/").some((element) => WHOLE.test(element))) return { type, value };
  return { type: "template", value: templateOf(value, namesOnly), prefix: type === "prefix" };
}

/** A prefix with wildcards. */
function globPath(glob: string): PathMatch {
  const open = glob.endsWith("/**");
  const body = open ? glob.slice(0, -"/**".length) : glob;
  if (!body.includes("**")) {
    const value = templateOf(body, wildcards);
    if (!open) return { type: "template", value, prefix: false };
    return value.includes("{") ? { type: "template", value, prefix: true } : { type: "prefix", value: `${value}/` };
  }
  return { type: "regex", value: wildcards(glob) };
}

/** Whole elements that are a name or a star stay simple; others that are not literal become patterns. */
function templateOf(path: string, pattern: (element: string) => string): string {
  const elements = path.split("/").map((element) => {
    if (element === "{}" || (element === "*" && pattern === wildcards)) return "{*}";
    if (WHOLE.test(element)) return element;
    const written = pattern(element);
    return written === quoted(element) ? literalElement(element) : patternElement(written);
  });
  return elements.join("/");
}

/** An element of a template that stands for itself, whatever it looks like. */
export function literalElement(element: string): string {
  return placeholder(element) === undefined ? element : patternElement(quoted(element));
}

/** A pattern of RE2 for a text with names in it. */
function namesOnly(text: string): string {
  return between(text, NAMES, (name) => `(?P<${name.slice(1, -1)}>[^/]+)`);
}

/** A pattern of RE2 for a text with names and wildcards in it. */
function wildcards(text: string): string {
  return between(text, NAMES_AND_WILDCARDS, (found) => {
    if (found === "**") return ".*";
    if (found === "*") return "[^/]*";
    return found === "?" ? "[^/]" : `(?P<${found.slice(1, -1)}>[^/]+)`;
  });
}

function between(text: string, special: RegExp, replace: (found: string) => string): string {
  let pattern = "";
  let at = 0;
  for (const { 0: found, index } of text.matchAll(special)) {
    pattern += quoted(text.slice(at, index)) + replace(found);
    at = index + found.length;
  }
  return pattern + quoted(text.slice(at));
}

/** A text as a pattern of RE2 that matches just it. */
export function quoted(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
