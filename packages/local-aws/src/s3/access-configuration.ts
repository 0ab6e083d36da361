import type { Operations } from "@gatewright/aws-wire/types/s3";
import { AwsError } from "../aws-error.ts";
import { withVersion } from "../policies/with-version.ts";
import type { Handlers } from "../service.ts";
import { grantsOf, isPublicAcl } from "./acl.ts";
import { bucketFor } from "./bucket-access.ts";
import { bucketPolicy } from "./bucket-policy.ts";
import type { Ground } from "./ground.ts";
import { ownerOf } from "./owner.ts";
import { accessDenied, malformedXml } from "./refusals.ts";

const OWNERSHIPS = ["BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"];

/** Who may do what: policy, ACL, ownership, and what is blocked of them. */
export function accessConfiguration(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    GetBucketPolicy(input, context) {
      const { policy } = bucketFor(ground, input, context);
      if (policy === undefined) throw noPolicy(input.Bucket);
      return { Policy: policy };
    },
    async PutBucketPolicy(input, context) {
      const bucket = bucketFor(ground, input, context);
      const policy = bucketPolicy(input.Policy, bucket);
      if (policy.isPublic && bucket.publicAccessBlock?.BlockPublicPolicy === true) {
        throw accessDenied(
          `User: ${context.caller.arn} is not authorized to perform: s3:PutBucketPolicy on resource: "arn:aws:s3:::${bucket.name}" because public policies are prevented by the BlockPublicPolicy setting in S3 Block Public Access.`,
        );
      }
      await store.configure(bucket, { policy: withVersion(input.Policy) });
      return {};
    },
    async DeleteBucketPolicy(input, context) {
      await store.configure(bucketFor(ground, input, context), { policy: undefined });
      return {};
    },
    GetBucketPolicyStatus(input, context) {
      const bucket = bucketFor(ground, input, context);
      if (bucket.policy === undefined) throw noPolicy(input.Bucket);
      return { PolicyStatus: { IsPublic: bucketPolicy(bucket.policy, bucket).isPublic } };
    },

    GetBucketAcl(input, context) {
      const { account, acl } = bucketFor(ground, input, context);
      return { Owner: ownerOf(account), Grants: acl };
    },
    async PutBucketAcl(input, context) {
      const bucket = bucketFor(ground, input, context);
      const acl = grantsOf(input, bucket.account) ?? input.AccessControlPolicy?.Grants;
      if (acl === undefined) {
        throw new AwsError("MissingSecurityHeader", "Your request was missing a required header", {
          details: { MissingHeaderName: "x-amz-acl" },
        });
      }
      if (bucket.ownership === "BucketOwnerEnforced") {
        throw new AwsError("AccessControlListNotSupported", "The bucket does not allow ACLs");
      }
      if (isPublicAcl(acl) && bucket.publicAccessBlock?.BlockPublicAcls === true) throw accessDenied();
      await store.configure(bucket, { acl });
      return {};
    },

    GetBucketOwnershipControls(input, context) {
      const { ownership } = bucketFor(ground, input, context);
      if (ownership === undefined) {
        throw new AwsError("OwnershipControlsNotFoundError", "The bucket ownership controls were not found", {
          status: 404,
          details: { BucketName: input.Bucket },
        });
      }
      return { OwnershipControls: { Rules: [{ ObjectOwnership: ownership }] } };
    },
    async PutBucketOwnershipControls(input, context) {
      const bucket = bucketFor(ground, input, context);
      const [rule, ...more] = input.OwnershipControls.Rules;
      if (rule === undefined || more.length > 0 || !OWNERSHIPS.includes(rule.ObjectOwnership)) throw malformedXml();
      if (rule.ObjectOwnership === "BucketOwnerEnforced" && bucket.acl.length > 1) {
        throw new AwsError(
          "InvalidBucketAclWithObjectOwnership",
          "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
        );
      }
      await store.configure(bucket, { ownership: rule.ObjectOwnership });
      return {};
    },
    async DeleteBucketOwnershipControls(input, context) {
      await store.configure(bucketFor(ground, input, context), { ownership: undefined });
      return {};
    },

    GetPublicAccessBlock(input, context) {
      const { publicAccessBlock } = bucketFor(ground, input, context);
      if (publicAccessBlock === undefined) {
        throw new AwsError(
          "NoSuchPublicAccessBlockConfiguration",
          "The public access block configuration was not found",
          { status: 404, details: { BucketName: input.Bucket } },
        );
      }
      return { PublicAccessBlockConfiguration: publicAccessBlock };
    },
    async PutPublicAccessBlock(input, context) {
      const bucket = bucketFor(ground, input, context);
      const wanted = input.PublicAccessBlockConfiguration;
      await store.configure(bucket, {
        publicAccessBlock: {
          BlockPublicAcls: wanted.BlockPublicAcls ?? false,
          IgnorePublicAcls: wanted.IgnorePublicAcls ?? false,
          BlockPublicPolicy: wanted.BlockPublicPolicy ?? false,
          RestrictPublicBuckets: wanted.RestrictPublicBuckets ?? false,
        },
      });
      return {};
    },
    async DeletePublicAccessBlock(input, context) {
      await store.configure(bucketFor(ground, input, context), { publicAccessBlock: undefined });
      return {};
    },
  };
}

function noPolicy(bucket: string): AwsError {
  return new AwsError("NoSuchBucketPolicy", "The bucket policy does not exist", {
    status: 404,
    details: { BucketName: bucket },
  });
}
