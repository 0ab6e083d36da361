import { createHash } from "node:crypto";

/** Letters and digits that spell no words. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX = 5;
/** What the server leaves of a prefix when it generates a name itself. */
export const LONGEST_PREFIX = 63 - SUFFIX;

/**
 * The name of the nth object of a series. It looks like a generated one, but the same object always gets it: who makes it again,
 * because the answer was lost or the cache is old, is told that it is there already.
 */
export function steadyName(prefix: string, series: string, ordinal: number): string {
  const bytes = createHash("sha256").update(`${series}/${ordinal}`).digest();
  let suffix = "";
  for (const byte of bytes.subarray(0, SUFFIX)) suffix += ALPHABET[byte % ALPHABET.length];
  return prefix.slice(0, LONGEST_PREFIX) + suffix;
}

/** One more than the highest ordinal of the series among these names; 0 when none is of it. */
export function nextOrdinal(prefix: string, series: string, names: ReadonlySet<string>): number {
  let next = 0;
  let found = 0;
  const farthest = names.size * 2 + 100;
  for (let ordinal = 0; ordinal < farthest && found < names.size; ordinal++) {
    if (!names.has(steadyName(prefix, series, ordinal))) continue;
    found++;
    next = ordinal + 1;
  }
  return next;
}
