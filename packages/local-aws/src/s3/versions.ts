import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { BucketRecord, KeyRecord, ObjectVersion, StoredObject } from "./records.ts";

/** The id of what was written while versioning was off or suspended. */
export const NULL_VERSION = "null";

const ID_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";

/** What a change of one key leaves, and which versions it takes the place of. */
export interface VersionChange {
  readonly versions: readonly ObjectVersion[];
  readonly removed: readonly ObjectVersion[];
}

/** The id that a new version has in a bucket. */
export function newVersionId({ versioning }: BucketRecord, random: Random): string {
  return versioning === "Enabled" ? randomString(random, ID_ALPHABET, 32) : NULL_VERSION;
}

/** A new version becomes the current one. There is one with the id `null` at most: a new one takes the place of the old. */
export function withVersion(record: KeyRecord | undefined, version: ObjectVersion): VersionChange {
  const before = record?.versions ?? [];
  const replaced = before.filter(({ id }) => id === NULL_VERSION && version.id === NULL_VERSION);
  return { versions: [version, ...before.filter((one) => !replaced.includes(one))], removed: replaced };
}

export function withoutVersion(record: KeyRecord, id: string): VersionChange {
  return {
    versions: record.versions.filter((version) => version.id !== id),
    removed: record.versions.filter((version) => version.id === id),
  };
}

/** The object that is seen under a key when no version is asked for. */
export function currentObject(record: KeyRecord | undefined): StoredObject | undefined {
  const current = record?.versions[0];
  return current?.kind === "object" ? current : undefined;
}

/** What answers say of a version: nothing in a bucket that never had versioning. */
export function versionTold({ versioning }: BucketRecord, id: string): { readonly VersionId?: string } {
  return versioning === undefined && id === NULL_VERSION ? {} : { VersionId: id };
}
