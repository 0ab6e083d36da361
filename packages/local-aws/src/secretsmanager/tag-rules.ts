import type { Tag } from "@gatewright/aws-wire/types/secretsmanager";
import type { Pairs } from "./records.ts";
import { invalidParameter, limitExceeded } from "./refusals.ts";

const MOST = 50;
const TEXT = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** The tags of a secret after some were added. Refuses what Secrets Manager does. */
export function withTags(before: Pairs, added: Iterable<readonly [key: string, value: string]>): Pairs {
  const next = new Map(before);
  for (const [key, value] of added) {
    if (key.length < 1 || key.length > 128 || !TEXT.test(key)) throw invalidParameter(`Invalid tag key: ${key}`);
    if (value.length > 256 || !TEXT.test(value)) throw invalidParameter(`Invalid value of tag ${key}.`);
    if (/^aws:/i.test(key)) throw invalidParameter("Tag keys that begin with aws: are reserved.");
    next.set(key, value);
  }
  if (next.size > MOST) throw limitExceeded(`A secret can have ${MOST} tags at most.`);
  return [...next];
}

/** Tags of a request as pairs. */
export function pairsOf(tags: readonly Tag[]): Pairs {
  return tags.map(({ Key = "", Value = "" }) => [Key, Value]);
}

export function tagList(tags: Pairs): readonly Tag[] {
  return tags.map(([Key, Value]) => ({ Key, Value }));
}
