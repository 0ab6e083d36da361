import { UID_TAG } from "../../engine/owner-tags.ts";

/** A policy that is part of a role. */
export interface InlinePolicy {
  readonly policyName: string;
  readonly policyDocument: string;
}

/** The instance profile that has the name of a role. */
export interface Profile {
  readonly arn: string;
  /** Names. */
  readonly roles: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** What is read of a role. */
export interface Role {
  readonly name: string;
  readonly arn: string;
  readonly id: string;
  readonly path: string;
  readonly description: string;
  readonly trust: string;
  readonly maxSession: number;
  readonly boundary?: string;
  /** ARNs, sorted; only where they were asked for. */
  readonly attached: readonly string[];
  /** By name; only where they were asked for. */
  readonly inline: readonly InlinePolicy[];
  /** Only where it was asked for and is there. */
  readonly profile?: Profile;
  readonly tags: Readonly<Record<string, string>>;
}

/** Whether an instance profile was made for the same object as the role. Only such a one is ever deleted. */
export function isOwnProfile({ tags }: Pick<Role, "tags">, profile: Pick<Profile, "tags">): boolean {
  const uid = Object.hasOwn(tags, UID_TAG) ? tags[UID_TAG] : undefined;
  return uid !== undefined && Object.hasOwn(profile.tags, UID_TAG) && profile.tags[UID_TAG] === uid;
}
