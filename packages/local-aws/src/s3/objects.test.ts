import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/s3";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import type { ServiceCaller } from "../testing/service-caller.ts";
import { createS3 } from "./create-s3.ts";

const Bucket = "bucket";

async function setUp({ versioned = false, locked = false } = {}) {
  const world = testWorld();
  const s3 = serviceCaller<Operations>(createS3(world).service);
  await s3("CreateBucket", { Bucket, ObjectLockEnabledForBucket: locked });
  if (versioned) await s3("PutBucketVersioning", { Bucket, VersioningConfiguration: { Status: "Enabled" } });
  return { world, s3 };
}

async function put(s3: ServiceCaller<Operations>, Key: string, text = Key): Promise<string | undefined> {
  return (await s3("PutObject", { Bucket, Key, Body: Buffer.from(text) })).VersionId;
}

async function text(s3: ServiceCaller<Operations>, Key: string, more: object = {}): Promise<string> {
  const { Body: body } = await s3("GetObject", { Bucket, Key, ...more });
  return Buffer.from(body ?? []).toString();
}

test("an object is read as it was put, with its MD5 as ETag and its metadata", async () => {
  const { s3 } = await setUp();
  await s3("PutObject", {
    Bucket,
    Key: "a/b",
    Body: Buffer.from("hello"),
    ContentType: "text/plain",
    Metadata: { owner: "me" },
    Tagging: "x=1&y=2",
  });
  const object = await s3("GetObject", { Bucket, Key: "a/b" });
  assert.equal(Buffer.from(object.Body ?? []).toString(), "hello");
  assert.equal(object.ETag, '"5d41402abc4b2a76b9719d911017c592"');
  assert.deepEqual([object.ContentType, object.Metadata, object.TagCount], ["text/plain", { owner: "me" }, 2]);
  assert.equal(object.VersionId, undefined);
  const { Body: _, ...told } = object;
  assert.deepEqual(await s3("HeadObject", { Bucket, Key: "a/b" }), told);
  await assert.rejects(s3("GetObject", { Bucket, Key: "none" }), refusal("NoSuchKey", 404));
});

test("ranges give parts, and one beyond the end is refused", async () => {
  const { s3 } = await setUp();
  await put(s3, "k", "0123456789");
  for (const [range, expected] of [
    ["bytes=0-3", "0123"],
    ["bytes=8-", "89"],
    ["bytes=-2", "89"],
    ["bytes=5-100", "56789"],
    ["lines=1", "0123456789"],
  ] as const) {
    assert.equal(await text(s3, "k", { Range: range }), expected);
  }
  assert.equal((await s3("HeadObject", { Bucket, Key: "k", Range: "bytes=2-3" })).ContentRange, "bytes 2-3/10");
  await assert.rejects(s3("GetObject", { Bucket, Key: "k", Range: "bytes=10-" }), refusal("InvalidRange", 416));
});

test("a reader says what headers shall be, but nothing that no header can carry", async () => {
  const { s3 } = await setUp();
  await put(s3, "k");
  const ResponseContentDisposition = 'attachment; filename="b\u00fccher.txt"';
  const { ContentDisposition } = await s3("GetObject", { Bucket, Key: "k", ResponseContentDisposition });
  assert.equal(ContentDisposition, ResponseContentDisposition);
  for (const bad of ["\u65e5\u672c", "a\r\nset-cookie: b", "\u0000", "\u007f"]) {
    for (const name of ["ResponseContentDisposition", "ResponseContentType", "ResponseCacheControl"]) {
      const input = { Bucket, Key: "k", [name]: bad };
      await assert.rejects(s3("GetObject", input), refusal("InvalidArgument", 400));
      await assert.rejects(s3("HeadObject", input), refusal("InvalidArgument", 400));
    }
  }
});

test("reads and writes can depend on what is there", async () => {
  const { world, s3 } = await setUp();
  await s3("PutObject", { Bucket, Key: "k", IfNoneMatch: "*" });
  await assert.rejects(s3("PutObject", { Bucket, Key: "k", IfNoneMatch: "*" }), refusal("PreconditionFailed", 412));
  await assert.rejects(s3("PutObject", { Bucket, Key: "n", IfMatch: '"x"' }), refusal("NoSuchKey", 404));
  const { ETag: etag = "" } = await s3("HeadObject", { Bucket, Key: "k" });
  await s3("PutObject", { Bucket, Key: "k", IfMatch: etag });
  await assert.rejects(s3("GetObject", { Bucket, Key: "k", IfNoneMatch: etag }), refusal("NotModified", 304));
  await assert.rejects(s3("GetObject", { Bucket, Key: "k", IfMatch: '"x"' }), refusal("PreconditionFailed", 412));
  const since = { Bucket, Key: "k", IfModifiedSince: world.clock.now() };
  await assert.rejects(s3("GetObject", since), refusal("NotModified", 304));
});

test("checksums are checked and told back, and a wrong MD5 is refused", async () => {
  const { s3 } = await setUp();
  const Body = Buffer.from("hello");
  await s3("PutObject", { Bucket, Key: "k", Body, ChecksumCRC32: "NhCmhg==" });
  await s3("PutObject", { Bucket, Key: "n", Body, ChecksumCRC64NVME: "M3eFcAZSQlc=" });
  assert.equal((await s3("HeadObject", { Bucket, Key: "k" })).ChecksumCRC32, undefined);
  assert.equal((await s3("HeadObject", { Bucket, Key: "k", ChecksumMode: "ENABLED" })).ChecksumCRC32, "NhCmhg==");
  await assert.rejects(s3("PutObject", { Bucket, Key: "k", Body, ChecksumCRC32: "AAAAAA==" }), refusal("BadDigest"));
  await assert.rejects(s3("PutObject", { Bucket, Key: "k", Body, ChecksumCRC32C: "AAAAAA==" }), refusal("BadDigest"));
  const nvme = { Bucket, Key: "k", Body, ChecksumCRC64NVME: "AAAAAAAAAAA=" };
  await assert.rejects(s3("PutObject", nvme), refusal("BadDigest"));
  const wrong = { Bucket, Key: "k", Body, ContentMD5: "1B2M2Y8AsgTpgAmY7PhCfg==" };
  await assert.rejects(s3("PutObject", wrong), refusal("BadDigest"));
  await assert.rejects(s3("PutObject", { ...wrong, ContentMD5: "short" }), refusal("InvalidDigest"));
});

test("with versioning a delete leaves a marker, and the bucket is not empty before all versions are gone", async () => {
  const { s3 } = await setUp({ versioned: true });
  const first = await put(s3, "k", "one");
  const second = await put(s3, "k", "two");
  assert.notEqual(first, second);
  const deleted = await s3("DeleteObject", { Bucket, Key: "k" });
  assert.equal(deleted.DeleteMarker, true);
  await assert.rejects(s3("GetObject", { Bucket, Key: "k" }), refusal("NoSuchKey", 404));
  const marker = { Bucket, Key: "k", VersionId: deleted.VersionId };
  await assert.rejects(s3("GetObject", marker), refusal("MethodNotAllowed", 405));
  assert.equal(await text(s3, "k", { VersionId: first }), "one");
  assert.deepEqual((await s3("ListObjectsV2", { Bucket })).Contents, []);
  await assert.rejects(s3("DeleteBucket", { Bucket }), refusal("BucketNotEmpty", 409));

  const { Versions: versions = [], DeleteMarkers: markers = [] } = await s3("ListObjectVersions", { Bucket });
  assert.deepEqual(
    versions.map(({ VersionId, IsLatest }) => [VersionId, IsLatest]),
    [
      [second, false],
      [first, false],
    ],
  );
  assert.deepEqual(
    markers.map(({ IsLatest }) => IsLatest),
    [true],
  );
  await s3("DeleteObject", marker);
  assert.equal(await text(s3, "k"), "two");
  const rest = versions.map(({ VersionId }) => ({ Key: "k", VersionId }));
  assert.deepEqual(await s3("DeleteObjects", { Bucket, Delete: { Objects: rest, Quiet: true } }), {});
  await s3("DeleteBucket", { Bucket });
});

test("while versioning is suspended, new objects take the place of the null version only", async () => {
  const { s3 } = await setUp();
  await put(s3, "k", "before");
  await s3("PutBucketVersioning", { Bucket, VersioningConfiguration: { Status: "Enabled" } });
  await put(s3, "k", "versioned");
  await s3("PutBucketVersioning", { Bucket, VersioningConfiguration: { Status: "Suspended" } });
  assert.equal(await put(s3, "k", "after"), "null");
  const { Versions: versions = [] } = await s3("ListObjectVersions", { Bucket });
  assert.equal(versions.length, 2);
  assert.equal(await text(s3, "k", { VersionId: "null" }), "after");
});

test("lists have prefixes, delimiters and pages, and never the same entry twice", async () => {
  const { s3 } = await setUp();
  for (const key of ["a", "b/1", "b/2", "c/1/x", "d", "ü", "z"]) await put(s3, key);
  const seen: string[] = [];
  let token: string | undefined;
  do {
    const page = await s3("ListObjectsV2", { Bucket, Delimiter: "/", MaxKeys: 2, ContinuationToken: token });
    assert.equal(page.KeyCount, (page.Contents?.length ?? 0) + (page.CommonPrefixes?.length ?? 0));
    seen.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    seen.push(...(page.CommonPrefixes ?? []).map(({ Prefix = "" }) => Prefix));
    token = page.NextContinuationToken;
  } while (token !== undefined);
  assert.deepEqual(seen.toSorted(), ["a", "b/", "c/", "d", "z", "ü"]);
  const under = await s3("ListObjects", { Bucket, Prefix: "b/", Delimiter: "/" });
  assert.deepEqual(
    under.Contents?.map(({ Key }) => Key),
    ["b/1", "b/2"],
  );
  const encoded = await s3("ListObjects", { Bucket, Prefix: "ü", EncodingType: "url" });
  assert.deepEqual(
    encoded.Contents?.map(({ Key }) => Key),
    ["%C3%BC"],
  );
  const after = await s3("ListObjectsV2", { Bucket, StartAfter: "b/2" });
  assert.deepEqual(
    after.Contents?.map(({ Key }) => Key),
    ["c/1/x", "d", "z", "ü"],
  );
  assert.equal((await s3("ListObjectsV2", { Bucket, MaxKeys: 0 })).IsTruncated, false);
  await assert.rejects(s3("ListObjectsV2", { Bucket, ContinuationToken: "!" }), refusal("InvalidArgument"));
});

test("versions are listed in pages that break within a key", async () => {
  const { s3 } = await setUp({ versioned: true });
  for (const key of ["a", "a", "a", "b"]) await put(s3, key);
  const first = await s3("ListObjectVersions", { Bucket, MaxKeys: 2 });
  assert.equal(first.IsTruncated, true);
  const second = await s3("ListObjectVersions", {
    Bucket,
    KeyMarker: first.NextKeyMarker,
    VersionIdMarker: first.NextVersionIdMarker,
  });
  assert.deepEqual(
    second.Versions?.map(({ Key }) => Key),
    ["a", "b"],
  );
});

test("an upload in parts becomes one object; parts must be large, in order and known", async () => {
  const { s3 } = await setUp();
  const { UploadId = "" } = await s3("CreateMultipartUpload", { Bucket, Key: "big", ContentType: "x/y" });
  const upload = { Bucket, Key: "big", UploadId };
  const large = Buffer.alloc(5 * 1024 ** 2, "a");
  const { ETag: first } = await s3("UploadPart", { ...upload, PartNumber: 1, Body: large });
  const { ETag: small } = await s3("UploadPart", { ...upload, PartNumber: 2, Body: Buffer.from("tail") });
  const { ETag: last } = await s3("UploadPart", { ...upload, PartNumber: 3, Body: Buffer.from("end") });
  const complete = (...parts: readonly (readonly [number, string | undefined])[]) =>
    s3("CompleteMultipartUpload", {
      ...upload,
      MultipartUpload: { Parts: parts.map(([PartNumber, ETag]) => ({ PartNumber, ETag })) },
    });
  await assert.rejects(complete([1, first], [2, small], [3, last]), refusal("EntityTooSmall"));
  await assert.rejects(complete([2, small], [1, first]), refusal("InvalidPartOrder"));
  await assert.rejects(complete([1, small]), refusal("InvalidPart"));
  await assert.rejects(complete(), refusal("MalformedXML"));
  assert.equal((await s3("ListParts", upload)).Parts?.length, 3);
  assert.equal((await s3("ListMultipartUploads", { Bucket })).Uploads?.length, 1);
  const done = await complete([1, first], [3, last]);
  assert.match(done.ETag ?? "", /^"[0-9a-f]{32}-2"$/);
  assert.equal(await text(s3, "big", { Range: "bytes=-5" }), "aaend");
  assert.equal(await text(s3, "big", { PartNumber: 2 }), "end");
  await assert.rejects(s3("AbortMultipartUpload", upload), refusal("NoSuchUpload", 404));
});

test("a copy is its own object, with the metadata of its source unless it is replaced", async () => {
  const { s3 } = await setUp();
  await s3("PutObject", { Bucket, Key: "from", Body: Buffer.from("x"), Metadata: { a: "1" } });
  const copy = (more: object) => s3("CopyObject", { Bucket, Key: "to", CopySource: `${Bucket}/from`, ...more });
  await copy({});
  await s3("DeleteObject", { Bucket, Key: "from" });
  assert.equal(await text(s3, "to"), "x");
  assert.deepEqual((await s3("HeadObject", { Bucket, Key: "to" })).Metadata, { a: "1" });
  await assert.rejects(copy({}), refusal("NoSuchKey"));
  await assert.rejects(copy({ CopySource: `${Bucket}/to` }), refusal("InvalidRequest"));
  await copy({ CopySource: `/${Bucket}/to`, MetadataDirective: "REPLACE", Metadata: { b: "2" } });
  assert.deepEqual((await s3("HeadObject", { Bucket, Key: "to" })).Metadata, { b: "2" });
});

test("a locked version stays until its time: compliance for all, governance unless it is bypassed", async () => {
  const { world, s3 } = await setUp({ locked: true });
  const until = world.clock.now() + 86_400_000;
  const { VersionId: strict } = await s3("PutObject", {
    Bucket,
    Key: "strict",
    ObjectLockMode: "COMPLIANCE",
    ObjectLockRetainUntilDate: until,
  });
  await s3("PutObjectLockConfiguration", {
    Bucket,
    ObjectLockConfiguration: {
      ObjectLockEnabled: "Enabled",
      Rule: { DefaultRetention: { Mode: "GOVERNANCE", Days: 1 } },
    },
  });
  const lax = await put(s3, "lax");
  const remove = (Key: string, VersionId: string | undefined, BypassGovernanceRetention: boolean) =>
    s3("DeleteObject", { Bucket, Key, VersionId, BypassGovernanceRetention });
  await assert.rejects(remove("strict", strict, true), refusal("AccessDenied", 403));
  await assert.rejects(remove("lax", lax, false), refusal("AccessDenied", 403));
  await remove("lax", lax, true);
  const { Errors: errors } = await s3("DeleteObjects", {
    Bucket,
    Delete: { Objects: [{ Key: "strict", VersionId: strict }] },
  });
  assert.equal(errors?.[0]?.Code, "AccessDenied");
  world.clock.advance(86_400_000);
  await remove("strict", strict, false);
});

test("at most 1,000 objects go at once, and what is not there is deleted all the same", async () => {
  const { s3 } = await setUp();
  const many = Array.from({ length: 1001 }, (_, i) => ({ Key: String(i) }));
  await assert.rejects(s3("DeleteObjects", { Bucket, Delete: { Objects: many } }), refusal("MalformedXML"));
  const { Deleted: deleted } = await s3("DeleteObjects", { Bucket, Delete: { Objects: [{ Key: "none" }] } });
  assert.deepEqual(deleted, [{ Key: "none" }]);
});
