import type { ImageTagMutabilityExclusionFilter } from "@gatewright/aws-wire/types/ecr";
import { matchesWildcard } from "../wildcard.ts";
import type { Mutability, RepositoryRecord } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const MEMBER = "imageTagMutabilityExclusionFilters";

/** How tags may move, as a request says it: patterns are for those kinds that make exceptions, and those need some. */
export function mutabilityOf(
  wish: string = "MUTABLE",
  filters: readonly ImageTagMutabilityExclusionFilter[] = [],
): Pick<RepositoryRecord, "mutability" | "exclusions"> {
  const excepting = wish.endsWith("_WITH_EXCLUSION");
  if (excepting && filters.length === 0) throw invalidParameter(MEMBER, `must not be empty with ${wish}`);
  if (!excepting && filters.length > 0) throw invalidParameter(MEMBER, `must not be given with ${wish}`);
  const exclusions = filters.map(({ filter }) => filter);
  for (const filter of exclusions) {
    if (!/^[0-9a-zA-Z._*-]{1,128}$/.test(filter)) {
      throw invalidParameter(MEMBER, "must satisfy regular expression '^[0-9a-zA-Z._*-]{1,128}$'");
    }
    if (filter.split("*").length > 3) throw invalidParameter(MEMBER, "must have two wildcards at most");
  }
  if (new Set(exclusions).size < exclusions.length) throw invalidParameter(MEMBER, "must not have a filter twice");
  return { mutability: wish as Mutability, exclusions };
}

/** Whether a tag stays on the image that it is on. */
export function isFixed({ mutability, exclusions }: RepositoryRecord, tag: string): boolean {
  const excepted = exclusions.some((pattern) => matchesWildcard(pattern, tag));
  return mutability.startsWith("IMMUTABLE") !== excepted;
}
