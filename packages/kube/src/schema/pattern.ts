import type { RE2JS } from "re2js";
import { regexLibrary } from "../regex-library.ts";

const MAX_CACHED = 2000;
const compiled = new Map<string, RE2JS>();

/**
 * A user's regular expression in Go's syntax, on a linear-time engine. Compiled once; throws with the engine's reason where
 * the pattern is not valid.
 */
export function compilePattern(pattern: string): RE2JS {
  let found = compiled.get(pattern);
  if (!found) {
    found = regexLibrary().RE2JS.compile(pattern);
    if (compiled.size >= MAX_CACHED) compiled.clear();
    compiled.set(pattern, found);
  }
  return found;
}

/** Whether any part of the text matches, as Go's MatchString does. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).test(text);
}
