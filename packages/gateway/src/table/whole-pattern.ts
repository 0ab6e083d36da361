import { createRequire } from "node:module";
import type * as Re2 from "re2js";

const require = createRequire(import.meta.url);
let loaded: typeof Re2 | undefined;

/** A user's regular expression that has to match a whole text. */
export interface WholePattern {
  readonly source: string;
  /** Of its groups. */
  readonly names: readonly string[];
  matches(text: string): boolean;
  /** What its named groups stand for: nothing, for one that had no part in it. Empty when it has none, or the text does not match. */
  groups(text: string): ReadonlyMap<string, string>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Compiles RE2; `problem` says what is wrong with it. The library is loaded for the first pattern: a start does not wait for it. */
export function wholePattern(source: string): WholePattern | { readonly problem: string } {
  loaded ??= require("re2js") as typeof Re2;
  let regex: Re2.RE2JS;
  try {
    regex = loaded.RE2JS.compile(source);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const names = Object.keys(regex.namedGroups());
  return {
    source,
    names,
    matches: (text) => regex.testExact(text),
    groups(text) {
      if (names.length === 0) return NOTHING;
      const matcher = regex.matcher(text);
      if (!matcher.matches()) return NOTHING;
      const found = new Map<string, string>();
      for (const name of names) found.set(name, matcher.group(name) ?? "");
      return found;
    },
  };
}

/** Compiles a pattern of which it is known that it can be: whoever makes rows checks them. Throws otherwise. */
export function mustCompile(source: string): WholePattern {
  const pattern = wholePattern(source);
  if ("problem" in pattern) throw new Error(`not a regular expression of RE2: ${pattern.problem}`);
  return pattern;
}

/** How many instructions a pattern compiles to, as RE2 counts them; of one that is none, Infinity. */
export function patternSize(source: string): number {
  loaded ??= require("re2js") as typeof Re2;
  try {
    return loaded.RE2JS.compile(source).programSize();
  } catch {
    // Whoever wrote it was told what is wrong with it when the rows were made.
    return Infinity;
  }
}
