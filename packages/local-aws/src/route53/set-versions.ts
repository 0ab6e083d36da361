import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";

/** What a record set was, is and will be: each version counts in DNS from its moment on; null where there is none. Oldest first. */
export type SetVersions = readonly { readonly from: number; readonly set: ResourceRecordSet | null }[];

/** The set as the API shows it: the newest, whether DNS has it yet or not. */
export function currentSet(versions: SetVersions | undefined): ResourceRecordSet | undefined {
  return versions?.at(-1)?.set ?? undefined;
}

/** The set as DNS has it. */
export function visibleSet(versions: SetVersions | undefined, now: number): ResourceRecordSet | undefined {
  return versions?.findLast(({ from }) => from <= now)?.set ?? undefined;
}

/** The versions with a new one, and without those that nobody can see any more. */
export function withVersion(
  versions: SetVersions | undefined,
  set: ResourceRecordSet | null,
  from: number,
  now: number,
): SetVersions {
  const seen = (versions ?? []).findLastIndex((version) => version.from <= now);
  return [...(versions ?? []).slice(Math.max(seen, 0)), { from, set }];
}
