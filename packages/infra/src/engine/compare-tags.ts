import { getOwn } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { AnyKind, Managed } from "./aws-kind.ts";
import { OWNER_TAGS, ownerTags } from "./owner-tags.ts";
import type { Tags } from "./owner-tags.ts";
import type { Session } from "./session.ts";

/** What has to be done to tags. */
export interface TagChange {
  readonly set: Tags;
  readonly remove: readonly string[];
}

/** How a tag is named among fields. */
const PREFIX = "tags.";

/** All tags that a resource is to have: of the provider, of the spec, and those that say whose it is. Later ones win. */
export function wantedTags(cluster: string, object: Immutable<Managed>, { defaultTags }: Pick<Session, "defaultTags">) {
  return { ...defaultTags, ...object.spec.tags, ...ownerTags(cluster, object) };
}

/** Tags as fields are remembered: those that leave the spec are removed, those of others are left alone. */
export function declaredTags(wanted: Tags): readonly string[] {
  return Object.keys(wanted).flatMap((key) => (OWNER_TAGS.has(key) ? [] : [`${PREFIX}${key}`]));
}

/** Tags that fields write are compared as those fields. */
export function fieldTagPaths({ fieldTags = [] }: Pick<AnyKind, "fieldTags">): readonly string[] {
  return fieldTags.map((key) => `${PREFIX}${key}`);
}

/** Compares tags. `declared`: the fields that were declared when the resource was last written. `tags` ignores all but the owner's. */
export function compareTags(
  wanted: Tags,
  have: Tags,
  declared: readonly string[],
  ignore: readonly string[],
): TagChange | undefined {
  const ignored = (key: string): boolean =>
    !OWNER_TAGS.has(key) && (ignore.includes("tags") || ignore.includes(`${PREFIX}${key}`));
  const set = Object.entries(wanted).filter(([key, value]) => getOwn(have, key) !== value && !ignored(key));
  const remove = declared
    .flatMap((path) => (path.startsWith(PREFIX) ? [path.slice(PREFIX.length)] : []))
    .filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(have, key) && !ignored(key));
  return set.length + remove.length === 0 ? undefined : { set: Object.fromEntries(set), remove };
}
