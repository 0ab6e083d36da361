import type { DeletedObject, ObjectIdentifier, Operations } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import { matches } from "./conditions.ts";
import type { Ground } from "./ground.ts";
import { forget } from "./object-place.ts";
import type { BucketRecord, ObjectVersion } from "./records.ts";
import { accessDenied, malformedXml, noSuchKey, preconditionFailed } from "./refusals.ts";
import { currentObject, newVersionId, withoutVersion, withVersion } from "./versions.ts";

const MOST_AT_ONCE = 1000;

interface Deletion {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly bypass: boolean;
  readonly ifMatch?: string | undefined;
}

/** What a deletion did. */
interface Outcome {
  readonly told: DeletedObject;
  readonly removed: readonly ObjectVersion[];
  readonly durable: Promise<void>;
}

/** Objects go: with versioning behind a marker, with their version for good. */
export function objectDeletes(ground: Ground): Handlers<Operations> {
  return {
    async DeleteObject(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { told, removed, durable } = deleteOne(ground, bucket, {
        key: input.Key,
        versionId: input.VersionId,
        bypass: input.BypassGovernanceRetention === true,
        ifMatch: input.IfMatch,
      });
      await durable;
      await forget(ground, removed);
      const versionId = told.VersionId ?? told.DeleteMarkerVersionId;
      return {
        ...(told.DeleteMarker === true && { DeleteMarker: true }),
        ...(versionId !== undefined && { VersionId: versionId }),
      };
    },

    async DeleteObjects(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Objects: objects, Quiet: quiet = false } = input.Delete;
      if (objects.length === 0 || objects.length > MOST_AT_ONCE) throw malformedXml();
      const bypass = input.BypassGovernanceRetention === true;
      const outcomes = objects.map((object) => attempt(ground, bucket, object, bypass));
      const done = outcomes.filter((outcome) => "told" in outcome);
      await Promise.all(done.map(({ durable }) => durable));
      await forget(
        ground,
        done.flatMap(({ removed }) => removed),
      );
      const errors = outcomes.filter((outcome) => "Code" in outcome);
      return {
        ...(!quiet && { Deleted: done.map(({ told }) => told) }),
        ...(errors.length > 0 && { Errors: errors }),
      };
    },
  };
}

function attempt(
  ground: Ground,
  bucket: BucketRecord,
  { Key: key, VersionId: versionId, ETag: ifMatch }: ObjectIdentifier,
  bypass: boolean,
): Outcome | { readonly Key: string; readonly VersionId?: string; readonly Code: string; readonly Message: string } {
  try {
    return deleteOne(ground, bucket, { key, versionId, bypass, ifMatch });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { code, message } = error;
    return { Key: key, ...(versionId !== undefined && { VersionId: versionId }), Code: code, Message: message };
  }
}

/** Deletes in one commit. That a key or a version is not there is no fault. */
function deleteOne(ground: Ground, bucket: BucketRecord, { key, versionId, bypass, ifMatch }: Deletion): Outcome {
  const { store, world } = ground;
  const record = store.key(bucket, key);
  if (ifMatch !== undefined) {
    const current = currentObject(record);
    if (current === undefined) throw noSuchKey(key);
    if (!matches(ifMatch, current.etag)) throw preconditionFailed("If-Match");
  }
  if (versionId === undefined && bucket.versioning !== undefined) {
    const id = newVersionId(bucket, world.random);
    const change = withVersion(record, { kind: "marker", id, modified: world.clock.now() });
    const durable = store.commit((commit) => store.putKey(commit, bucket, { key, versions: change.versions }));
    return { told: { Key: key, DeleteMarker: true, DeleteMarkerVersionId: id }, removed: change.removed, durable };
  }
  const told = { Key: key, ...(versionId !== undefined && { VersionId: versionId }) };
  const change = record && withoutVersion(record, versionId ?? "null");
  const [version] = change?.removed ?? [];
  if (change === undefined || version === undefined) return { told, removed: [], durable: Promise.resolve() };
  if (isLocked(version, bypass, world.clock.now())) {
    throw accessDenied("Access Denied because object protected by object lock.");
  }
  return {
    told: version.kind === "marker" ? { ...told, DeleteMarker: true, DeleteMarkerVersionId: version.id } : told,
    removed: change.removed,
    durable: store.commit((commit) => store.putKey(commit, bucket, { key, versions: change.versions })),
  };
}

/** Whether a version may not go yet. Governance yields to those who say so, compliance and legal holds to nobody. */
function isLocked(version: ObjectVersion, bypass: boolean, now: number): boolean {
  if (version.kind === "marker" || version.lock === undefined) return false;
  const { mode, until = 0, hold } = version.lock;
  return hold === "ON" || (until > now && (mode === "COMPLIANCE" || (mode === "GOVERNANCE" && !bypass)));
}
