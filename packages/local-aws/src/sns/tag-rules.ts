import type { Tag } from "@gatewright/aws-wire/types/sns";
import { AwsError } from "../aws-error.ts";
import type { Pairs } from "./records.ts";
import { invalid } from "./refusals.ts";

const MOST = 50;

/** The tags of a topic after some were added. Refuses what SNS does. */
export function withTags(before: Pairs, added: readonly Tag[]): Pairs {
  if (new Set(added.map(({ Key }) => Key)).size < added.length) throw invalid("Duplicated keys are not allowed.");
  const next = new Map(before);
  for (const { Key: key, Value: value } of added) {
    if (key.toLowerCase().startsWith("aws:")) throw invalid("Tag keys must not begin with the reserved prefix aws:");
    next.set(key, value);
  }
  if (next.size > MOST) {
    throw new AwsError("TagLimitExceeded", `Could not complete request: tag quota of per resource exceeded`);
  }
  return [...next];
}
