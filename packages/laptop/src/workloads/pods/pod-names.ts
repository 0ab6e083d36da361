import { createHash } from "node:crypto";

/** Letters and digits that spell no words. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const SUFFIX = 5;
/** What the server leaves of a prefix when it generates a name itself. */
const LONGEST_PREFIX = 63 - SUFFIX;

/** The prefix of the names of an owner's pods, as their `generateName`. */
export function podNamePrefix(ownerName: string): string {
  return `${ownerName}-`;
}

/**
 * The name of the nth pod that is made for an owner. It looks like a generated one, but the same pod always gets the same name: who
 * makes it again, because the answer was lost or the cache is old, is told that it is there already.
 */
export function podName(ownerName: string, ownerUid: string, ordinal: number): string {
  const bytes = createHash("sha256").update(`${ownerUid}/${ordinal}`).digest();
  let suffix = "";
  for (const byte of bytes.subarray(0, SUFFIX)) suffix += ALPHABET[byte % ALPHABET.length];
  return podNamePrefix(ownerName).slice(0, LONGEST_PREFIX) + suffix;
}

/** One more than the highest ordinal among these names; 0 when none of them was made by {@link podName} for this owner. */
export function nextOrdinal(ownerName: string, ownerUid: string, names: ReadonlySet<string>): number {
  let next = 0;
  let found = 0;
  const farthest = names.size * 2 + 100;
  for (let ordinal = 0; ordinal < farthest && found < names.size; ordinal++) {
    if (!names.has(podName(ownerName, ownerUid, ordinal))) continue;
    found++;
    next = ordinal + 1;
  }
  return next;
}
