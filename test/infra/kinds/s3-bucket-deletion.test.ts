import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { S3Bucket } from "@gatewright/resources";
import { anyKind } from "../../../packages/infra/src/engine/aws-kind.ts";
import type { Obstacle } from "../../../packages/infra/src/engine/aws-kind.ts";
import type { BucketSeen } from "../../../packages/infra/src/kinds/s3-bucket/bucket-seen.ts";
import { s3Bucket } from "../../../packages/infra/src/kinds/s3-bucket/index.ts";
import { removeBucket } from "../../../packages/infra/src/kinds/s3-bucket/remove.ts";
import { admissionOf } from "../../../packages/infra/src/kinds/testing/admission.ts";
import { settle } from "../../../packages/infra/src/kinds/testing/kind-life.ts";
import { givenOf } from "../../../packages/infra/src/kinds/testing/kind-stage.ts";
import { kindWorld } from "../../../packages/infra/src/kinds/testing/kind-world.ts";

const NAME = "shop-photos";
const SMALL = { pages: 2, versions: 2, uploads: 1 };

interface Scene extends AsyncDisposable {
  readonly client: S3Client;
  put(key: string): Promise<void>;
  remove(spec?: object): Promise<Obstacle | undefined>;
  versions(): Promise<number>;
  exists(): Promise<boolean>;
}

/** A bucket that keeps versions, and the AWS SDK beside it. */
async function scene(spec: object = {}): Promise<Scene> {
  const world = await kindWorld({ listening: true });
  const client = new S3Client({ ...world.sdk() });
  const bucket = (more: object): S3Bucket => {
    const judged = admissionOf(S3Bucket).judge<object>({
      apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
      kind: "S3Bucket",
      metadata: { name: "photos", namespace: "shop", uid: "1" },
      spec: { providerRef: { name: "aws" }, bucketName: NAME, versioning: { enabled: true }, ...spec, ...more },
    });
    assert.ok("admitted" in judged, JSON.stringify(judged));
    return judged.admitted as S3Bucket;
  };
  const { seen } = await settle(world, anyKind(s3Bucket), bucket({}), givenOf());
  return {
    client,
    put: async (key) => void (await client.send(new PutObjectCommand({ Bucket: NAME, Key: key, Body: "x" }))),
    remove: (more = {}) => world.passing(removeBucket(world.ground, seen as BucketSeen, bucket(more), SMALL)),
    async versions() {
      const { Versions, DeleteMarkers } = await client.send(new ListObjectVersionsCommand({ Bucket: NAME }));
      return (Versions?.length ?? 0) + (DeleteMarkers?.length ?? 0);
    },
    async exists() {
      const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
      return Buckets.some(({ Name }) => Name === NAME);
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      await world[Symbol.asyncDispose]();
    },
  };
}

suite("deleting a bucket", () => {
  test("an empty one goes, and one that is gone is no trouble", async () => {
    await using stage = await scene();
    assert.equal(await stage.remove(), undefined);
    assert.equal(await stage.exists(), false);
    assert.equal(await stage.remove(), undefined);
  });

  test("one with nothing but deleted objects is not empty, and nothing of it is touched", async () => {
    await using stage = await scene();
    await stage.put("a");
    await stage.client.send(new DeleteObjectCommand({ Bucket: NAME, Key: "a" }));
    const obstacle = await stage.remove();
    assert.equal(obstacle?.reason, "NotEmpty");
    assert.match(obstacle.message, /forceDestroy/);
    assert.equal(await stage.versions(), 2);
  });

  test("with forceDestroy it is emptied a portion at a time, versions, markers and unfinished uploads, and goes", async () => {
    await using stage = await scene();
    for (const key of ["a", "b", "c", "d", "d", "d"]) await stage.put(key);
    await stage.client.send(new DeleteObjectCommand({ Bucket: NAME, Key: "a" }));
    for (const Key of ["u", "v"]) {
      await stage.client.send(new CreateMultipartUploadCommand({ Bucket: NAME, Key }));
    }
    const left: number[] = [];
    while (await stage.exists()) {
      assert.equal(await stage.remove({ forceDestroy: true }), undefined);
      if (!(await stage.exists())) break;
      left.push(await stage.versions());
      const { Uploads } = await stage.client.send(new ListMultipartUploadsCommand({ Bucket: NAME }));
      assert.equal(Uploads?.length ?? 0, Math.max(0, 2 - left.length));
    }
    assert.deepEqual(left, [3, 0]);
  });

  test("what object lock keeps is an obstacle that is named", async () => {
    const lock = { objectLock: { enabled: true, defaultRetention: { mode: "COMPLIANCE", days: 1 } } };
    await using stage = await scene(lock);
    await stage.put("kept");
    await stage.client.send(new DeleteObjectCommand({ Bucket: NAME, Key: "kept" }));
    // The marker is not locked.
    assert.equal(await stage.remove({ forceDestroy: true }), undefined);
    const obstacle = await stage.remove({ forceDestroy: true });
    assert.equal(obstacle?.reason, "DeletionProtected");
    assert.match(obstacle.message, /kept among them \(AccessDenied/);
    assert.equal(await stage.versions(), 1);
  });
});
