import { hash } from "node:crypto";
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

/** All tags together. */
const TAGS = "tags";

/** By which path a field's version is remembered: that of tags is one for all. */
export function versionPath(path: string): string {
  return path.startsWith(PREFIX) ? TAGS : path;
}

/** All tags that a resource is to have: of the provider, of the spec, and those that say whose it is. Later ones win. */
export function wantedTags(cluster: string, object: Immutable<Managed>, { defaultTags }: Pick<Session, "defaultTags">) {
  return { ...defaultTags, ...object.spec.tags, ...ownerTags(cluster, object) };
}

/**
 * With drift `Report` the version of a provider's tags, by the path of all tags: by it what others did is told from what the provider
 * says now, which no generation of the object shows.
 */
export function defaultTagsVersion(
  { spec }: Immutable<Managed>,
  { defaultTags }: Pick<Session, "defaultTags">,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(defaultTags);
  if (spec.management?.drift?.mode !== "Report" || pairs.length === 0) return {};
  const inOrder = pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return { [TAGS]: hash("sha256", JSON.stringify(inOrder)).slice(0, 32) };
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
    !OWNER_TAGS.has(key) && (ignore.includes(TAGS) || ignore.includes(`${PREFIX}${key}`));
  const set = Object.entries(wanted).filter(([key, value]) => getOwn(have, key) !== value && !ignored(key));
  const remove = declared
    .flatMap((path) => (path.startsWith(PREFIX) ? [path.slice(PREFIX.length)] : []))
    .filter((key) => !Object.hasOwn(wanted, key) && Object.hasOwn(have, key) && !ignored(key));
  return set.length + remove.length === 0 ? undefined : { set: Object.fromEntries(set), remove };
}
