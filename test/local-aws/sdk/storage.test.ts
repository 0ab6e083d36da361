import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { test } from "node:test";
import {
  CreateDBInstanceCommand,
  CreateDBSnapshotCommand,
  DBInstanceAlreadyExistsFault,
  DBInstanceNotFoundFault,
  DeleteDBInstanceCommand,
  DescribeDBInstancesCommand,
  InvalidDBInstanceStateFault,
  ListTagsForResourceCommand,
  ModifyDBInstanceCommand,
  paginateDescribeDBInstances,
  RDSClient,
  StopDBInstanceCommand,
  waitUntilDBInstanceAvailable,
  waitUntilDBInstanceDeleted,
  waitUntilDBSnapshotAvailable,
} from "@aws-sdk/client-rds";
import {
  BucketAlreadyOwnedByYou,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  NoSuchBucket,
  NoSuchKey,
  NotFound,
  paginateListBuckets,
  paginateListObjectsV2,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  waitUntilBucketExists,
  waitUntilBucketNotExists,
  waitUntilObjectExists,
  waitUntilObjectNotExists,
} from "@aws-sdk/client-s3";
import { presignedUrl } from "./presigned-url.ts";
import { pagesOf, PATIENCE, sdkStage } from "./sdk-stage.ts";

const { config } = sdkStage();
const MEBIBYTE = 1024 * 1024;
const s3Client = (): S3Client => new S3Client(config());
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function bucket(s3: S3Client, Bucket: string): Promise<string> {
  await s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } }));
  const { state } = await waitUntilBucketExists({ client: s3, ...PATIENCE }, { Bucket });
  assert.equal(state, "SUCCESS");
  return Bucket;
}

test("S3: bodies as texts, bytes and streams, with the checksums that the client adds and checks", async () => {
  const s3 = s3Client();
  const Bucket = await bucket(s3, "sdk-bodies");
  const bytes = Buffer.alloc(3 * MEBIBYTE + 17, "no part is like another");
  const key = "a key/with ü & <b>";
  await s3.send(
    new PutObjectCommand({ Bucket, Key: key, Body: "text", Metadata: { who: "sdk" }, ContentType: "text/x" }),
  );
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
  assert.deepEqual([got.Metadata, got.ContentType, got.ContentLength], [{ who: "sdk" }, "text/x", 4]);
  assert.ok(got.LastModified instanceof Date);
  assert.equal(await got.Body?.transformToString(), "text");
  for (const ChecksumAlgorithm of ["CRC32", "CRC32C", "SHA1", "SHA256", "CRC64NVME"] as const) {
    await s3.send(new PutObjectCommand({ Bucket, Key: "sum", Body: bytes, ChecksumAlgorithm }));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "sum", ChecksumMode: "ENABLED" }));
    assert.equal(sha256((await Body?.transformToByteArray()) ?? new Uint8Array()), sha256(bytes), ChecksumAlgorithm);
  }
  const parts = function* () {
    for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
  };
  await s3.send(
    new PutObjectCommand({ Bucket, Key: "streamed", Body: Readable.from(parts()), ContentLength: bytes.length }),
  );
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "streamed" }));
  const hash = createHash("sha256");
  for await (const chunk of Body as Readable) hash.update(chunk as Buffer);
  assert.equal(hash.digest("hex"), sha256(bytes));
  const range = await s3.send(new GetObjectCommand({ Bucket, Key: "streamed", Range: "bytes=-5" }));
  assert.equal(await range.Body?.transformToString(), bytes.subarray(-5).toString());

  await assert.rejects(
    s3.send(new PutObjectCommand({ Bucket, Key: "sum", Body: "again", IfNoneMatch: "*" })),
    (error: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }) =>
      error.name === "PreconditionFailed" && error.$metadata?.httpStatusCode === 412,
  );
  await assert.rejects(s3.send(new GetObjectCommand({ Bucket, Key: "nothing" })), NoSuchKey);
  await assert.rejects(s3.send(new HeadObjectCommand({ Bucket, Key: "nothing" })), NotFound);
});

test("S3: addresses that are signed beforehand work for anybody, until they expire", async () => {
  const s3 = s3Client();
  const Bucket = await bucket(s3, "sdk-signed");
  const put = await presignedUrl(s3, new PutObjectCommand({ Bucket, Key: "a b/ü" }), 60);
  assert.equal((await fetch(put, { method: "PUT", body: "by address" })).status, 200);
  const get = await presignedUrl(s3, new GetObjectCommand({ Bucket, Key: "a b/ü" }), 60);
  assert.equal(await (await fetch(get)).text(), "by address");
  assert.equal((await fetch(get.replace("X-Amz-Expires=60", "X-Amz-Expires=61"))).status, 403);
  const past = await presignedUrl(s3, new GetObjectCommand({ Bucket, Key: "a b/ü" }), 1, -5_000);
  const expired = await fetch(past);
  assert.equal(expired.status, 403);
  assert.match(await expired.text(), /<Message>Request has expired<\/Message>/);
});

test("S3: versions, parts, copies, pages, configuration, and typed refusals", async () => {
  const s3 = s3Client();
  const Bucket = await bucket(s3, "sdk-versions");
  await assert.rejects(bucket(s3, "sdk-versions"), BucketAlreadyOwnedByYou);
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  const upload = { Bucket, Key: "large" };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...upload, ChecksumAlgorithm: "CRC32" }));
  const Parts = [];
  for (const [i, size] of [5 * MEBIBYTE, 1000].entries()) {
    const { ETag, ChecksumCRC32 } = await s3.send(
      new UploadPartCommand({ ...upload, UploadId, PartNumber: i + 1, Body: Buffer.alloc(size, `${i}`) }),
    );
    Parts.push({ ETag, ChecksumCRC32, PartNumber: i + 1 });
  }
  const done = await s3.send(new CompleteMultipartUploadCommand({ ...upload, UploadId, MultipartUpload: { Parts } }));
  assert.match(done.ETag ?? "", /-2"$/);
  await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource: `${Bucket}/large` }));
  const exists = await waitUntilObjectExists({ client: s3, ...PATIENCE }, { Bucket, Key: "copy" });
  assert.equal(exists.state, "SUCCESS");
  for (const Body of ["1", "2"]) await s3.send(new PutObjectCommand({ Bucket, Key: "dir/x", Body }));
  const pages = await pagesOf(paginateListObjectsV2({ client: s3, pageSize: 1 }, { Bucket }));
  assert.deepEqual(
    pages.map(({ Contents }) => Contents?.map(({ Key, Size }) => [Key, Size])),
    [[["copy", 5 * MEBIBYTE + 1000]], [["dir/x", 1]], [["large", 5 * MEBIBYTE + 1000]]],
  );
  await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key: "team", Value: "web" }] } }));
  assert.deepEqual((await s3.send(new GetBucketTaggingCommand({ Bucket }))).TagSet, [{ Key: "team", Value: "web" }]);
  const listed = await pagesOf(paginateListBuckets({ client: s3, pageSize: 1 }, { Prefix: "sdk-" }));
  assert.equal(listed.length, 3);

  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  assert.equal(Versions.length, 4);
  const Objects = Versions.map(({ Key, VersionId }) => ({ Key, VersionId }));
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  assert.equal(Deleted?.length, 4);
  const gone = await waitUntilObjectNotExists({ client: s3, ...PATIENCE }, { Bucket, Key: "copy" });
  assert.equal(gone.state, "SUCCESS");
  await s3.send(new DeleteBucketCommand({ Bucket }));
  const noBucket = await waitUntilBucketNotExists({ client: s3, ...PATIENCE }, { Bucket });
  assert.equal(noBucket.state, "SUCCESS");
  await assert.rejects(s3.send(new GetBucketTaggingCommand({ Bucket })), NoSuchBucket);
  await assert.rejects(s3.send(new HeadBucketCommand({ Bucket })), NotFound);
});

test("RDS: the life of an instance as waiters follow it", async () => {
  const rds = new RDSClient(config());
  const create = (DBInstanceIdentifier: string) =>
    rds.send(
      new CreateDBInstanceCommand({
        DBInstanceIdentifier,
        Engine: "postgres",
        DBInstanceClass: "db.t4g.micro",
        AllocatedStorage: 20,
        MasterUsername: "boss",
        MasterUserPassword: "secret-of-sdk",
        Tags: [{ Key: "team", Value: "web" }],
      }),
    );
  const { DBInstance } = await create("sdk-1");
  assert.equal(DBInstance?.DBInstanceStatus, "creating");
  await create("sdk-2");
  await assert.rejects(create("sdk-1"), DBInstanceAlreadyExistsFault);
  const one = { DBInstanceIdentifier: "sdk-1" };
  await assert.rejects(rds.send(new StopDBInstanceCommand(one)), InvalidDBInstanceStateFault);
  const available = await waitUntilDBInstanceAvailable({ client: rds, ...PATIENCE }, one);
  assert.equal(available.state, "SUCCESS");
  const pages = await pagesOf(paginateDescribeDBInstances({ client: rds }, { MaxRecords: 20 }));
  assert.deepEqual(
    pages.flatMap(({ DBInstances }) => DBInstances ?? []).map(({ DBInstanceIdentifier }) => DBInstanceIdentifier),
    ["sdk-1", "sdk-2"],
  );
  const look = async () => (await rds.send(new DescribeDBInstancesCommand(one))).DBInstances?.[0] ?? {};
  const { InstanceCreateTime, Endpoint, DBInstanceArn } = await look();
  assert.ok(InstanceCreateTime instanceof Date);
  assert.equal(Endpoint?.Port, 5432);
  const { TagList } = await rds.send(new ListTagsForResourceCommand({ ResourceName: DBInstanceArn }));
  assert.deepEqual(TagList, [{ Key: "team", Value: "web" }]);
  const modified = await rds.send(
    new ModifyDBInstanceCommand({ ...one, AllocatedStorage: 30, ApplyImmediately: true }),
  );
  assert.equal(modified.DBInstance?.PendingModifiedValues?.AllocatedStorage, 30);
  await waitUntilDBInstanceAvailable({ client: rds, ...PATIENCE }, one);
  assert.equal((await look()).AllocatedStorage, 30);
  await rds.send(new CreateDBSnapshotCommand({ ...one, DBSnapshotIdentifier: "sdk-snapshot" }));
  const snapshot = await waitUntilDBSnapshotAvailable(
    { client: rds, ...PATIENCE },
    { DBSnapshotIdentifier: "sdk-snapshot" },
  );
  assert.equal(snapshot.state, "SUCCESS");
  await waitUntilDBInstanceAvailable({ client: rds, ...PATIENCE }, one);
  await rds.send(new DeleteDBInstanceCommand({ ...one, SkipFinalSnapshot: true }));
  const deleted = await waitUntilDBInstanceDeleted({ client: rds, ...PATIENCE }, one);
  assert.equal(deleted.state, "SUCCESS");
  await assert.rejects(look(), DBInstanceNotFoundFault);
});
