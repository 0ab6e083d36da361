import type { Json } from "../json/json.ts";

/** One step of a path. A path is a list of steps, each applied to all results of the one before. */
export type PathStep =
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" }
  | { readonly type: "recursive" }
  | {
      readonly type: "slice";
      readonly start?: number;
      readonly end?: number;
      readonly step?: number;
      readonly single: boolean;
    }
  | { readonly type: "union"; readonly paths: readonly (readonly PathStep[])[] }
  | { readonly type: "exists"; readonly path: readonly PathStep[] }
  | {
      readonly type: "compare";
      readonly operator: string;
      readonly left: readonly PathStep[];
      readonly right: readonly PathStep[];
    }
  | { readonly type: "literal"; readonly value: Json }
  /** `range` and other words of kubectl's templates: no meaning for a single value. */
  | { readonly type: "word"; readonly word: string };

/** A path that cannot be read. */
export class JsonPathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonPathError";
  }
}

const FIELD = /(?:\\[^]|[^\\ \t\r\n.,[\]$@{}])*/y;
const NUMBER = /[+-]?[0-9.]*/y;
const WORD = /[^ \t\r\n.,[\]$@{}]*/y;
const QUOTED = /"(?:[^"\n\\]|\\.)*"|'(?:[^'\n\\]|\\.)*'/y;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+)$/s;

/** Reads kubectl's dialect of JSONPath, without the braces around it. Throws {@link JsonPathError}. */
export function parsePath(text: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };
  const field = (): void => {
    const name = take(FIELD);
    steps.push(name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") });
  };
  while (at < text.length) {
    const next = text[at]!;
    if (next === "}") break; // What follows is another template; a single value has no use for it.
    if (text.startsWith("[?(", at)) {
      const end = filterEnd(text, at + 3);
      steps.push(parseFilter(text.slice(at + 3, end)));
      at = end + 2;
    } else if (text.startsWith("..", at)) {
      if (steps.at(-1)?.type === "recursive") throw new JsonPathError("invalid multiple recursive descent");
      at += 2;
      steps.push({ type: "recursive" });
      if (/[_\p{L}\p{Nd}]/u.test(text[at] ?? "")) field();
    } else if (next === " " || next === "@" || next === "$") {
      at++;
    } else if (next === "[") {
      const end = text.indexOf("]", at);
      if (end < 0) throw new JsonPathError("unterminated array");
      steps.push(...parseArray(text.slice(at + 1, end)));
      at = end + 1;
    } else if (next === '"' || next === "'") {
      const quoted = take(QUOTED);
      if (quoted === "") throw new JsonPathError("unterminated quoted string");
      steps.push({ type: "literal", value: quoted.slice(1, -1).replace(/\\(.)/g, unescapeCharacter) });
    } else if (next === ".") {
      at++;
      field();
    } else if (/[-+0-9]/.test(next)) {
      const number = take(NUMBER);
      if (number === "" || Number.isNaN(Number(number))) throw new JsonPathError(`cannot parse number ${number}`);
      steps.push({ type: "literal", value: Number(number) });
    } else if (/[_\p{L}\p{Nd}]/u.test(next)) {
      const word = take(WORD);
      steps.push(
        word === "true" || word === "false" ? { type: "literal", value: word === "true" } : { type: "word", word },
      );
    } else if (next === "\r" || next === "\n") {
      throw new JsonPathError("unclosed action");
    } else {
      throw new JsonPathError(`unrecognized character in action: ${next}`);
    }
  }
  return steps;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
const unescapeCharacter = (_: string, character: string): string => ESCAPES[character] ?? character;

/** Where the `)]` of a filter is. A parenthesis between quotes does not count. */
function filterEnd(text: string, from: number): number {
  let quote = "";
  let closed = false;
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "'") {
      if (quote === "") quote = c;
      else if (c === quote && text[i - 1] !== "\\") closed = true;
    } else if (c === ")" && (quote === "" || closed)) {
      if (text[i + 1] !== "]") throw new JsonPathError("unclosed array expect ]");
      return i;
    }
  }
  throw new JsonPathError("unterminated filter");
}

function parseFilter(text: string): PathStep {
  const comparison = COMPARISON.exec(text);
  if (!comparison) return { type: "exists", path: parsePath(text) };
  const [, left = "", operator = "", right = ""] = comparison;
  return { type: "compare", operator, left: parsePath(left), right: parsePath(right) };
}

function parseArray(text: string): PathStep[] {
  if (text === "*") return [{ type: "slice", single: false }];
  if (text.includes(",")) {
    return [{ type: "union", paths: text.split(",").map((part) => parseArray(part.trim())) }];
  }
  const quoted = /^'([^']*)'$/.exec(text);
  if (quoted) return [...parsePath(`.${quoted[1]}`)];
  const slice = SLICE.exec(text);
  if (!slice) throw new JsonPathError(`invalid array index ${text}`);
  const [start, end, step] = [slice[1]!, slice[2]?.slice(1) ?? "", slice[3]?.slice(1) ?? ""];
  if ([start, end, step].includes("-")) throw new JsonPathError(`array index - is not a number`);
  return [
    {
      type: "slice",
      single: slice[2] === undefined,
      ...(start !== "" && { start: Number(start) }),
      ...(end !== "" && { end: Number(end) }),
      ...(step !== "" && { step: Number(step) }),
    },
  ];
}
