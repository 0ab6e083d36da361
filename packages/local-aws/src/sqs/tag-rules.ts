import type { Pairs } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const MOST = 50;
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** The tags of a queue after some were added. Refuses what SQS does. */
export function withTags(before: Pairs, added: Iterable<readonly [key: string, value: string]>): Pairs {
  const next = new Map(before);
  for (const [key, value] of added) {
    if (key.length < 1 || key.length > 128 || !TEXT.test(key))
      throw invalidParameter("Tag keys must be between 1 and 128 characters in length.");
    if (value.length > 256 || !TEXT.test(value))
      throw invalidParameter("Tag values must be between 0 and 256 characters in length.");
    if (key.toLowerCase().startsWith("aws:"))
      throw invalidParameter("Tag keys must not begin with the reserved prefix aws:.");
    next.set(key, value);
  }
  if (next.size > MOST) throw invalidParameter("Too many tags added for queue.");
  return [...next];
}
