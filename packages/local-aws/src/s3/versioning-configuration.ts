import type { ObjectLockRule, Operations, ReplicationConfiguration } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import type { Ground } from "./ground.ts";
import type { BucketRecord } from "./records.ts";
import { invalidArgument, invalidBucketState, invalidRequest, malformedXml } from "./refusals.ts";

const MOST_RULES = 1000;

/** Versioning, and what stands on it: object lock and replication. The order in which they come and go matters. */
export function versioningConfiguration(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    GetBucketVersioning(input, context) {
      const { versioning, mfaDelete } = bucketFor(ground, input, context);
      return {
        ...(versioning !== undefined && { Status: versioning }),
        ...(mfaDelete !== undefined && { MFADelete: mfaDelete }),
      };
    },
    async PutBucketVersioning(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Status: status, MFADelete: mfaDelete } = input.VersioningConfiguration;
      if (status !== "Enabled" && status !== "Suspended") {
        throw new AwsError("IllegalVersioningConfigurationException", "The Versioning element must be specified");
      }
      if (mfaDelete === "Enabled") {
        throw new AwsError("AccessDenied", "This operation may only be performed by the bucket owner", { status: 403 });
      }
      if (status === "Suspended" && bucket.objectLock !== undefined) {
        throw invalidBucketState(
          "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.",
        );
      }
      if (status === "Suspended" && bucket.replication !== undefined) {
        throw invalidBucketState(
          "A replication configuration is present on this bucket, so you cannot change the versioning state. To change the versioning state, first delete the replication configuration.",
        );
      }
      await store.configure(bucket, { versioning: status });
      return {};
    },

    GetObjectLockConfiguration(input, context) {
      const { objectLock } = bucketFor(ground, input, context);
      if (objectLock === undefined) {
        throw new AwsError(
          "ObjectLockConfigurationNotFoundError",
          "Object Lock configuration does not exist for this bucket",
          { status: 404, details: { BucketName: input.Bucket } },
        );
      }
      return {
        ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", ...(objectLock.rule && { Rule: objectLock.rule }) },
      };
    },
    async PutObjectLockConfiguration(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { ObjectLockEnabled: enabled, Rule: rule } = input.ObjectLockConfiguration ?? {};
      if (enabled !== "Enabled") throw malformedXml();
      if (bucket.versioning !== "Enabled") {
        throw invalidBucketState("Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration");
      }
      checkRetention(rule);
      await store.configure(bucket, { objectLock: { rule } });
      return {};
    },

    GetBucketReplication(input, context) {
      const { replication } = bucketFor(ground, input, context);
      if (replication === undefined) {
        throw new AwsError("ReplicationConfigurationNotFoundError", "The replication configuration was not found", {
          status: 404,
          details: { BucketName: input.Bucket },
        });
      }
      return { ReplicationConfiguration: replication };
    },
    async PutBucketReplication(input, context) {
      const bucket = bucketFor(ground, input, context);
      if (bucket.versioning !== "Enabled") {
        throw invalidRequest("Versioning must be 'Enabled' on the bucket to apply a replication configuration");
      }
      const replication = checkReplication(ground, input.ReplicationConfiguration, bucket);
      await store.configure(bucket, { replication });
      return {};
    },
    async DeleteBucketReplication(input, context) {
      await store.configure(bucketFor(ground, input, context), { replication: undefined });
      return {};
    },
  };
}

function checkRetention(rule: ObjectLockRule | undefined): void {
  if (rule === undefined) return;
  const { Mode: mode, Days: days, Years: years } = rule.DefaultRetention ?? {};
  if (mode !== "GOVERNANCE" && mode !== "COMPLIANCE") throw malformedXml();
  if ((days === undefined) === (years === undefined)) throw malformedXml();
  if ((days ?? years ?? 0) <= 0) {
    throw invalidArgument("Default retention period must be a positive integer value.");
  }
  if ((days ?? 0) > 36_500 || (years ?? 0) > 100) {
    throw invalidArgument("Default retention period too large.");
  }
}

function checkReplication(
  { store }: Ground,
  { Role: role, Rules: rules }: ReplicationConfiguration,
  bucket: BucketRecord,
): ReplicationConfiguration {
  if (rules.length === 0 || rules.length > MOST_RULES) throw malformedXml();
  if (!/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/.test(role)) {
    throw invalidArgument("Invalid Role specified in replication configuration.", "Role", role);
  }
  const ids = rules.flatMap(({ ID: id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) throw invalidArgument("Rule Id must be unique");
  const priorities = rules.flatMap(({ Priority: priority }) => (priority === undefined ? [] : [priority]));
  if (new Set(priorities).size < priorities.length) {
    throw invalidRequest("Found duplicate priorities in the replication configuration");
  }
  const kept = rules.map((rule, i) => {
    if (rule.Status !== "Enabled" && rule.Status !== "Disabled") throw malformedXml();
    if (rule.Filter !== undefined && (rule.Priority === undefined || rule.DeleteMarkerReplication === undefined)) {
      throw invalidRequest(
        "Priority and DeleteMarkerReplication must be specified in a rule that has a Filter: this version of the replication configuration needs both.",
      );
    }
    const name = rule.Destination.Bucket.replace(`arn:${partitionOf(bucket.region)}:s3:::`, "");
    const target = store.bucket(bucket.region, name);
    if (target === undefined) throw invalidRequest("Destination bucket must exist.");
    if (target.versioning !== "Enabled") throw invalidRequest("Destination bucket must have versioning enabled.");
    return rule.ID === undefined ? { ...rule, ID: `rule-${i + 1}` } : rule;
  });
  return { Role: role, Rules: kept };
}
