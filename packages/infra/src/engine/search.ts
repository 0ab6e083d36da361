import type { AnyKind } from "./aws-kind.ts";
import type { Tags } from "./owner-tags.ts";
import type { Ground } from "./session.ts";

/** Ids of resources of a kind that have all of these tags. By the tagging API where it knows the kind: that is one call for all. */
export async function searchByTags(kind: AnyKind, ground: Ground, tags: Tags): Promise<readonly string[]> {
  const { tagType } = kind;
  const wanted = Object.entries(tags);
  if (tagType === undefined) {
    const find = async ([key, value]: readonly [string, string]): Promise<readonly string[]> =>
      (await kind.findTagged?.(ground, key, value)) ?? [];
    const [first = [], ...others] = await Promise.all(wanted.map(find));
    return first.filter((id) => others.every((set) => set.includes(id)));
  }
  const TagFilters = wanted.map(([Key, value]) => ({ Key, Values: [value] }));
  const ids = new Set<string>();
  const listing = { TagFilters, ResourceTypeFilters: [tagType] };
  for await (const { ResourceARN } of ground.aws.tagging.allResources(listing, { signal: ground.signal })) {
    if (ResourceARN !== undefined) ids.add(kind.idOf(ResourceARN));
  }
  return [...ids].sort();
}
