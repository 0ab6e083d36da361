import assert from "node:assert/strict";
import { after } from "node:test";
import { CreateBucketCommand, PutBucketPolicyCommand, PutBucketVersioningCommand, S3Client } from "@aws-sdk/client-s3";
import { S3Bucket } from "@gatewright/resources";
import { anyKind } from "../../../packages/infra/src/engine/aws-kind.ts";
import { s3Bucket } from "../../../packages/infra/src/kinds/s3-bucket/index.ts";
import { fieldsRoundTrip } from "../../../packages/infra/src/kinds/testing/fields-round-trip.ts";
import { kindWorld } from "../../../packages/infra/src/kinds/testing/kind-world.ts";
import { bucketAsNew, lookAtBucket } from "./look-at-bucket.ts";
import { GIVEN, OTHER_BUCKETS, S3_SAMPLES } from "./s3-bucket-samples.ts";

let client: S3Client | undefined;
after(() => client?.destroy());

fieldsRoundTrip({
  kind: anyKind(s3Bucket),
  definition: S3Bucket,
  open: () => kindWorld({ listening: true }),
  base: (number) => ({ bucketName: `sample-${number}-bucket` }),
  samples: S3_SAMPLES,
  twoValued: ["requestPayment"],
  except: { "objectLock.enabled": "cannot be turned off; objectLock.defaultRetention turns it on" },
  prepare: async (stage) => {
    client = new S3Client({ ...stage.sdk() });
    for (const Bucket of OTHER_BUCKETS) {
      await client.send(
        new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } }),
      );
      await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
      await client.send(new PutBucketPolicyCommand({ Bucket, Policy: letLogsIn(Bucket) }));
    }
    return GIVEN;
  },
  look: (stage, id) => {
    assert.ok(client);
    // Time passes faster on the stage than where the client signs.
    client.config.systemClockOffset = stage.sdk().systemClockOffset;
    return lookAtBucket(client, id);
  },
  normal: bucketAsNew,
});

function letLogsIn(bucket: string): string {
  const statement = { Effect: "Allow", Principal: { Service: "logging.s3.amazonaws.com" }, Action: "s3:PutObject" };
  return JSON.stringify({ Version: "2012-10-17", Statement: [{ ...statement, Resource: `arn:aws:s3:::${bucket}/*` }] });
}
