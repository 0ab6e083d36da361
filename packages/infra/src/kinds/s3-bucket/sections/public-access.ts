import type { s3 } from "@gatewright/aws";

/** The four ways in that can be shut, as specs and as S3 call them. */
export const PUBLIC_ACCESS_FLAGS = [
  ["blockPublicAcls", "BlockPublicAcls"],
  ["ignorePublicAcls", "IgnorePublicAcls"],
  ["blockPublicPolicy", "BlockPublicPolicy"],
  ["restrictPublicBuckets", "RestrictPublicBuckets"],
] as const;

/** By the name that S3 has for it: whether it is shut. */
export type Block = Record<string, boolean>;

/** Which of the four are shut: on the way, where only what opens is done already, and at the end. */
export function publicAccessSteps(
  seen: s3.PublicAccessBlockConfiguration | undefined,
  wanted: ReadonlyMap<string, unknown>,
): { readonly now: Block; readonly opened: Block; readonly final: Block } {
  const flags = PUBLIC_ACCESS_FLAGS.map(([flag, member]) => {
    const path = `publicAccessBlock.${flag}`;
    const now = seen?.[member] ?? false;
    const final = wanted.has(path) ? wanted.get(path) === true : now;
    return { member, now, opened: now && final, final };
  });
  const block = (pick: "now" | "opened" | "final"): Block =>
    Object.fromEntries(flags.map((flag) => [flag.member, flag[pick]]));
  return { now: block("now"), opened: block("opened"), final: block("final") };
}
