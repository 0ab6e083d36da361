import type { RE2JS } from "re2js";
import { regexLibrary } from "../regex-library.ts";
import { CelError } from "./value.ts";

const kept = new Map<string, RE2JS>();
const maxKept = 1000;

/** A user's regular expression on an engine that runs in linear time, or undefined when it is not valid. */
export function compileRegex(pattern: string): RE2JS | undefined {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  let regex: RE2JS;
  try {
    regex = regexLibrary().RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
  if (kept.size >= maxKept) kept.clear();
  kept.set(pattern, regex);
  return regex;
}

/** As compileRegex, for evaluation: an invalid pattern is an error of the expression, introduced by `prefix`. */
export function requireRegex(pattern: string, prefix = ""): RE2JS {
  const known = compileRegex(pattern);
  if (known !== undefined) return known;
  let reason = "invalid";
  try {
    regexLibrary().RE2JS.compile(pattern);
  } catch (error) {
    reason = error instanceof Error ? error.message : reason;
  }
  throw new CelError(`${prefix}${reason}`);
}

/** All matches in order, at most `limit` unless it is negative. An empty match right after another match is left out. */
export function findAll(regex: RE2JS, text: string, limit: number): string[] {
  const found: string[] = [];
  const matcher = regex.matcher(text);
  let lastEnd = -1;
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (start !== end || start !== lastEnd) found.push(text.slice(start, end));
    lastEnd = end;
  }
  return found;
}
