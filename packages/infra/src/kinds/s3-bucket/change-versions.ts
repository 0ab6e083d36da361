import type { Step, Writing } from "./change.ts";
import { replicationToAws } from "./sections/replication.ts";

export const startVersioning: Step = async (writing) => {
  if (writing.change.fields.get("versioning.enabled") === true) await putVersioning(writing, "Enabled");
};

export const stopVersioning: Step = async (writing) => {
  if (writing.change.fields.get("versioning.enabled") === false) await putVersioning(writing, "Suspended");
};

/** The rule is part of the same document, so that one of somebody else is written again as it is. */
export const writeObjectLock: Step = async ({ s3, target, options, seen, change, differs }) => {
  if (!differs("objectLock")) return;
  const retention = change.object.spec.objectLock?.defaultRetention;
  const kept = change.fields.has("objectLock.defaultRetention") ? undefined : seen.objectLock?.Rule;
  const rule = retention
    ? { DefaultRetention: { Mode: retention.mode, Days: retention.days, Years: retention.years } }
    : kept;
  await s3.putObjectLockConfiguration(
    { ...target, ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", ...(rule && { Rule: rule }) } },
    options,
  );
};

export const writeReplication: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("replication")) return;
  const { replication } = change.object.spec;
  if (replication === undefined) await s3.deleteBucketReplication(target, options);
  else {
    await s3.putBucketReplication({ ...target, ReplicationConfiguration: replicationToAws(replication) }, options);
  }
};

async function putVersioning({ s3, target, options }: Writing, status: string): Promise<void> {
  await s3.putBucketVersioning({ ...target, VersioningConfiguration: { Status: status } }, options);
}
