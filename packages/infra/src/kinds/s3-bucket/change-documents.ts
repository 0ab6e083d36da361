import type { Json } from "@gatewright/kube";
import type { Step, Writing } from "./change.ts";
import { corsToAws } from "./sections/cors.ts";
import { lifecycleToAws } from "./sections/lifecycle.ts";
import { loggingToAws } from "./sections/logging.ts";
import { notificationToAws } from "./sections/notification.ts";
import { websiteToAws } from "./sections/website.ts";

/** One rule says it all: what the spec does not declare is written again as it is. */
export const writeEncryption: Step = async (writing) => {
  const { s3, target, options, seen, differs } = writing;
  if (!differs("encryption")) return;
  const { ApplyServerSideEncryptionByDefault: now, BucketKeyEnabled: bucketKey, ...others } = seen.encryption ?? {};
  const algorithm = textOf(valueOf(writing, "encryption.algorithm", now?.SSEAlgorithm)) ?? "AES256";
  const key = textOf(valueOf(writing, "encryption.kmsKeyID", now?.KMSMasterKeyID));
  const rule = {
    ...others,
    ApplyServerSideEncryptionByDefault: {
      SSEAlgorithm: algorithm,
      ...(algorithm !== "AES256" && key !== undefined && { KMSMasterKeyID: key }),
    },
    BucketKeyEnabled: valueOf(writing, "encryption.bucketKeyEnabled", bucketKey) === true,
  };
  await s3.putBucketEncryption({ ...target, ServerSideEncryptionConfiguration: { Rules: [rule] } }, options);
};

export const writeLifecycle: Step = async ({ s3, target, options, seen, change, differs }) => {
  if (!differs("lifecycleRules")) return;
  const rules = lifecycleToAws(change.object.spec.lifecycleRules ?? []);
  if (rules.length === 0) await s3.deleteBucketLifecycle(target, options);
  else {
    const minimumSize = seen.lifecycleRules?.minimumSize;
    await s3.putBucketLifecycleConfiguration(
      {
        ...target,
        LifecycleConfiguration: { Rules: rules },
        ...(minimumSize !== undefined && { TransitionDefaultMinimumObjectSize: minimumSize }),
      },
      options,
    );
  }
};

export const writeCors: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("corsRules")) return;
  const rules = corsToAws(change.object.spec.corsRules ?? []);
  if (rules.length === 0) await s3.deleteBucketCors(target, options);
  else await s3.putBucketCors({ ...target, CORSConfiguration: { CORSRules: rules } }, options);
};

export const writeLogging: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("logging")) return;
  const { logging } = change.object.spec;
  const status = logging === undefined ? {} : { LoggingEnabled: loggingToAws(logging) };
  await s3.putBucketLogging({ ...target, BucketLoggingStatus: status }, options);
};

export const writeWebsite: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("website")) return;
  const { website } = change.object.spec;
  if (website === undefined) await s3.deleteBucketWebsite(target, options);
  else await s3.putBucketWebsite({ ...target, WebsiteConfiguration: websiteToAws(website) }, options);
};

export const writeNotifications: Step = async ({ s3, target, options, change, differs }) => {
  if (!differs("notificationConfiguration")) return;
  const told = notificationToAws(change.object.spec.notificationConfiguration ?? {}, change.given);
  await s3.putBucketNotificationConfiguration({ ...target, NotificationConfiguration: told }, options);
};

export const writeAcceleration: Step = async ({ s3, target, options, change }) => {
  const enabled = change.fields.get("accelerate.enabled");
  if (enabled === undefined) return;
  const status = { Status: enabled === true ? "Enabled" : "Suspended" };
  await s3.putBucketAccelerateConfiguration({ ...target, AccelerateConfiguration: status }, options);
};

export const writePayer: Step = async ({ s3, target, options, change }) => {
  const payer = change.fields.get("requestPayment");
  if (typeof payer !== "string") return;
  await s3.putBucketRequestPayment({ ...target, RequestPaymentConfiguration: { Payer: payer } }, options);
};

/** What a field is to be: what is written now, what the spec says, what AWS has. */
function valueOf({ change }: Writing, path: string, seen: Json | undefined): Json | undefined {
  return change.fields.has(path) ? change.fields.get(path) : (change.wanted.get(path) ?? seen);
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
