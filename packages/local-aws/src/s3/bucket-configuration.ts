import type { Operations } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import { NEW_ENCRYPTION } from "./bucket-operations.ts";
import { checkCors, checkEncryption, checkWebsite } from "./configuration-rules.ts";
import type { Ground } from "./ground.ts";
import { invalidRequest, malformedXml } from "./refusals.ts";
import { tagPairs, tagSet } from "./tags.ts";

/** Configuration that is one document each, replaced as a whole. */
export function bucketConfiguration(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    GetBucketTagging(input, context) {
      const { tags } = bucketFor(ground, input, context);
      if (tags === undefined) throw absent("NoSuchTagSet", "The TagSet does not exist", input.Bucket);
      return { TagSet: tagSet(tags) };
    },
    async PutBucketTagging(input, context) {
      const bucket = bucketFor(ground, input, context);
      await store.configure(bucket, { tags: tagPairs(input.Tagging.TagSet, "bucket") });
      return {};
    },
    async DeleteBucketTagging(input, context) {
      await store.configure(bucketFor(ground, input, context), { tags: undefined });
      return {};
    },

    GetBucketEncryption(input, context) {
      return { ServerSideEncryptionConfiguration: { Rules: bucketFor(ground, input, context).encryption } };
    },
    async PutBucketEncryption(input, context) {
      const bucket = bucketFor(ground, input, context);
      await store.configure(bucket, { encryption: checkEncryption(input.ServerSideEncryptionConfiguration.Rules) });
      return {};
    },
    async DeleteBucketEncryption(input, context) {
      await store.configure(bucketFor(ground, input, context), { encryption: NEW_ENCRYPTION });
      return {};
    },

    GetBucketCors(input, context) {
      const { cors } = bucketFor(ground, input, context);
      if (cors === undefined) {
        throw absent("NoSuchCORSConfiguration", "The CORS configuration does not exist", input.Bucket);
      }
      return { CORSRules: cors };
    },
    async PutBucketCors(input, context) {
      const bucket = bucketFor(ground, input, context);
      await store.configure(bucket, { cors: checkCors(input.CORSConfiguration.CORSRules) });
      return {};
    },
    async DeleteBucketCors(input, context) {
      await store.configure(bucketFor(ground, input, context), { cors: undefined });
      return {};
    },

    GetBucketWebsite(input, context) {
      const { website } = bucketFor(ground, input, context);
      if (website === undefined) {
        throw absent(
          "NoSuchWebsiteConfiguration",
          "The specified bucket does not have a website configuration",
          input.Bucket,
        );
      }
      return website;
    },
    async PutBucketWebsite(input, context) {
      const bucket = bucketFor(ground, input, context);
      await store.configure(bucket, { website: checkWebsite(input.WebsiteConfiguration) });
      return {};
    },
    async DeleteBucketWebsite(input, context) {
      await store.configure(bucketFor(ground, input, context), { website: undefined });
      return {};
    },

    GetBucketLogging(input, context) {
      const { logging } = bucketFor(ground, input, context);
      return logging === undefined ? {} : { LoggingEnabled: logging };
    },
    async PutBucketLogging(input, context) {
      const bucket = bucketFor(ground, input, context);
      const logging = input.BucketLoggingStatus.LoggingEnabled;
      const target = logging && store.bucket(bucket.region, logging.TargetBucket);
      if (logging && (target?.account !== bucket.account || target.region !== bucket.region)) {
        throw new AwsError(
          "InvalidTargetBucketForLogging",
          target === undefined
            ? "The target bucket for logging does not exist"
            : "The owner for the bucket to be logged and the target bucket must be the same.",
          { details: { TargetBucket: logging.TargetBucket } },
        );
      }
      await store.configure(bucket, { logging });
      return {};
    },

    GetBucketAccelerateConfiguration(input, context) {
      const { accelerate } = bucketFor(ground, input, context);
      return accelerate === undefined ? {} : { Status: accelerate };
    },
    async PutBucketAccelerateConfiguration(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Status: status } = input.AccelerateConfiguration;
      if (status !== "Enabled" && status !== "Suspended") throw malformedXml();
      if (bucket.name.includes(".")) {
        throw invalidRequest("S3 Transfer Acceleration is not supported for buckets with periods (.) in their names");
      }
      await store.configure(bucket, { accelerate: status });
      return {};
    },

    GetBucketRequestPayment(input, context) {
      return { Payer: bucketFor(ground, input, context).payer ?? "BucketOwner" };
    },
    async PutBucketRequestPayment(input, context) {
      const bucket = bucketFor(ground, input, context);
      const { Payer: payer } = input.RequestPaymentConfiguration;
      if (payer !== "Requester" && payer !== "BucketOwner") throw malformedXml();
      await store.configure(bucket, { payer });
      return {};
    },
  };
}

function absent(code: string, message: string, bucket: string): AwsError {
  return new AwsError(code, message, { status: 404, details: { BucketName: bucket } });
}
