import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Field } from "../../engine/field.ts";
import type { Given } from "../../engine/given.ts";
import { samePolicy } from "../same-policy.ts";
import type { BucketSeen } from "./bucket-seen.ts";
import type { BucketSpec, SectionOf } from "./bucket-spec.ts";
import { cannedAcl } from "./sections/acl.ts";
import { compact } from "./sections/compact.ts";
import { corsToAws, corsToSpec } from "./sections/cors.ts";
import { lifecycleToAws, lifecycleToSpec } from "./sections/lifecycle.ts";
import { loggingToAws, loggingToSpec } from "./sections/logging.ts";
import { notificationToAws, notificationToSpec } from "./sections/notification.ts";
import { PUBLIC_ACCESS_FLAGS } from "./sections/public-access.ts";
import { replicationToAws, replicationToSpec } from "./sections/replication.ts";
import { websiteToAws, websiteToSpec } from "./sections/website.ts";

type BucketField = Field<BucketSpec, BucketSeen>;

/** A section that is one document. What is wanted goes through AWS's form and back, so that both sides have one spelling. */
function document<Name extends keyof BucketSpec & keyof BucketSeen>(
  path: Name,
  {
    toAws,
    toSpec,
  }: {
    readonly toAws: (section: SectionOf<Name>, given: Given) => NonNullable<BucketSeen[Name]>;
    readonly toSpec: (section: NonNullable<BucketSeen[Name]>) => Json;
  },
): BucketField {
  return {
    path,
    change: "in-place",
    want: (spec, given) => {
      const section = spec[path];
      return section === undefined ? undefined : toSpec(toAws(section, given));
    },
    have: (seen) => {
      const section = seen[path];
      const have = section === undefined ? undefined : toSpec(section);
      return have === undefined || isEmpty(have) ? undefined : have;
    },
    same: (want, have) => (have === undefined ? isEmpty(want) : deepEqual(want, have)),
    unset: null,
  };
}

const publicAccess = PUBLIC_ACCESS_FLAGS.map(([flag, member]): BucketField => ({
  path: `publicAccessBlock.${flag}`,
  change: "in-place",
  want: ({ publicAccessBlock: block }) => block?.[flag],
  have: ({ publicAccessBlock: block }) => block?.[member] ?? false,
  unset: true,
}));

const encryption: readonly BucketField[] = [
  {
    path: "encryption.algorithm",
    change: "in-place",
    // The original wrote it with an underscore.
    want: ({ encryption: wanted }) => wanted?.algorithm.replace("_", ":"),
    have: ({ encryption: rule }) => rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm,
    unset: "AES256",
  },
  {
    path: "encryption.kmsKeyID",
    change: "in-place",
    want: ({ encryption: wanted }) => wanted?.kmsKeyID,
    have: ({ encryption: rule }) => rule?.ApplyServerSideEncryptionByDefault?.KMSMasterKeyID,
    unset: null,
  },
  {
    path: "encryption.bucketKeyEnabled",
    change: "in-place",
    want: ({ encryption: wanted }) => wanted?.bucketKeyEnabled,
    have: ({ encryption: rule }) => rule?.BucketKeyEnabled ?? false,
    unset: false,
  },
];

/** Everything that a spec says of a bucket and AWS tells. Defaults that a field goes back to are those of new buckets. */
export const BUCKET_FIELDS: readonly BucketField[] = [
  { path: "bucketName", change: "replace", want: ({ bucketName }) => bucketName, have: ({ name }) => name },
  {
    path: "acl",
    change: "in-place",
    want: ({ acl }) => acl,
    have: ({ acl }) => acl && cannedAcl(acl),
    unset: "private",
  },
  {
    path: "objectOwnership",
    change: "in-place",
    want: ({ objectOwnership }) => objectOwnership,
    have: ({ objectOwnership }) => objectOwnership,
    unset: "BucketOwnerEnforced",
  },
  ...publicAccess,
  {
    path: "policy",
    change: "in-place",
    want: ({ policy }) => policy,
    have: ({ policy }) => policy,
    same: (want, have) => typeof want === "string" && typeof have === "string" && samePolicy(want, have),
    unset: null,
  },
  {
    path: "versioning.enabled",
    change: "in-place",
    want: ({ versioning }) => versioning?.enabled,
    have: ({ versioning }) => versioning === "Enabled",
    unset: false,
  },
  ...encryption,
  document("lifecycleRules", {
    toAws: (rules) => ({ rules: lifecycleToAws(rules), minimumSize: undefined }),
    toSpec: ({ rules }) => lifecycleToSpec(rules),
  }),
  document("corsRules", { toAws: corsToAws, toSpec: corsToSpec }),
  document("logging", { toAws: loggingToAws, toSpec: loggingToSpec }),
  document("website", { toAws: websiteToAws, toSpec: websiteToSpec }),
  document("notificationConfiguration", { toAws: notificationToAws, toSpec: notificationToSpec }),
  document("replication", { toAws: replicationToAws, toSpec: replicationToSpec }),
  {
    path: "objectLock.enabled",
    change: "in-place",
    want: ({ objectLock }) => objectLock?.enabled,
    have: ({ objectLock }) => objectLock?.ObjectLockEnabled === "Enabled",
  },
  {
    path: "objectLock.defaultRetention",
    change: "in-place",
    want: ({ objectLock }) => objectLock?.defaultRetention && compact({ ...objectLock.defaultRetention }),
    have: ({ objectLock }) => {
      const { Mode: mode, Days: days, Years: years } = objectLock?.Rule?.DefaultRetention ?? {};
      // One of the two counts; the other may be told as none.
      return mode === undefined ? undefined : compact({ mode, days: days || undefined, years: years || undefined });
    },
    unset: null,
  },
  {
    path: "accelerate.enabled",
    change: "in-place",
    want: ({ accelerate }) => accelerate?.enabled,
    have: ({ accelerate }) => accelerate === "Enabled",
    unset: false,
  },
  {
    path: "requestPayment",
    change: "in-place",
    want: ({ requestPayment }) => requestPayment,
    have: ({ requestPayment }) => requestPayment ?? "BucketOwner",
    unset: "BucketOwner",
  },
];

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
