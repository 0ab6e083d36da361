import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/s3";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createS3 } from "./create-s3.ts";
import { s3Wire } from "./testing/s3-wire.ts";

const Bucket = "bucket";
const LARGE = 5 * 1024 ** 2;
const CopySource = `${Bucket}/from`;

async function setUp(begun: object = {}) {
  const s3 = serviceCaller<Operations>(createS3(testWorld({ lag: false })).service);
  await s3("CreateBucket", { Bucket });
  const { UploadId = "" } = await s3("CreateMultipartUpload", { Bucket, Key: "to", ...begun });
  return { s3, upload: { Bucket, Key: "to", UploadId } };
}

test("parts are copied from objects, whole and by ranges that go across their pieces", async () => {
  const { s3, upload } = await setUp();
  const { UploadId = "" } = await s3("CreateMultipartUpload", { Bucket, Key: "from" });
  const from = { Bucket, Key: "from", UploadId };
  const bodies = [Buffer.alloc(LARGE, "a"), Buffer.from("bcdef")];
  const Parts = await Promise.all(
    bodies.map(async (Body, i) => {
      const PartNumber = i + 1;
      return { PartNumber, ETag: (await s3("UploadPart", { ...from, PartNumber, Body })).ETag };
    }),
  );
  await s3("CompleteMultipartUpload", { ...from, MultipartUpload: { Parts } });

  const whole = await s3("UploadPartCopy", { ...upload, PartNumber: 1, CopySource });
  const CopySourceRange = `bytes=${LARGE - 2}-${LARGE + 1}`;
  const across = await s3("UploadPartCopy", { ...upload, PartNumber: 2, CopySource, CopySourceRange });
  assert.equal(across.CopyPartResult?.ETag, '"e638f7d51818758264fa897a551e5511"');
  const copied = [whole, across].map(({ CopyPartResult }, i) => ({ PartNumber: i + 1, ETag: CopyPartResult?.ETag }));
  await s3("CompleteMultipartUpload", { ...upload, MultipartUpload: { Parts: copied } });
  const { Body = new Uint8Array(0), ContentLength } = await s3("GetObject", { Bucket, Key: "to" });
  assert.equal(ContentLength, LARGE + 9);
  assert.equal(Buffer.from(Body.subarray(LARGE - 1)).toString(), "abcdefaabc");
});

test("a copied part has the checksum that its upload asks for", async () => {
  const { s3, upload } = await setUp({ ChecksumAlgorithm: "CRC32" });
  await s3("PutObject", { Bucket, Key: "from", Body: Buffer.from("hello") });
  const { CopyPartResult: told } = await s3("UploadPartCopy", { ...upload, PartNumber: 1, CopySource });
  assert.equal(told?.ChecksumCRC32, "NhCmhg==");
});

test("a range that the source does not have, a condition that fails and a source that is not there are refused", async () => {
  const { s3, upload } = await setUp();
  await s3("PutObject", { Bucket, Key: "from", Body: Buffer.from("hello") });
  const copy = (more: object) => s3("UploadPartCopy", { ...upload, PartNumber: 1, CopySource, ...more });
  for (const CopySourceRange of ["bytes=0-5", "bytes=3-1", "bytes=-2", "bytes=1-", "0-1"]) {
    await assert.rejects(copy({ CopySourceRange }), refusal("InvalidArgument", 400));
  }
  await assert.rejects(copy({ CopySourceIfMatch: '"x"' }), refusal("PreconditionFailed", 412));
  await assert.rejects(copy({ CopySource: `${Bucket}/none` }), refusal("NoSuchKey", 404));
  await assert.rejects(copy({ UploadId: "none" }), refusal("NoSuchUpload", 404));
  await assert.rejects(copy({ PartNumber: 10_001 }), refusal("InvalidArgument", 400));
  assert.deepEqual((await s3("ListParts", upload)).Parts, []);
});

test("on the wire a part with a source is a copy, and not an upload of nothing", async () => {
  const { call, send } = await s3Wire();
  await call("CreateBucket", { Bucket });
  await call("PutObject", { Bucket, Key: "from", Body: Buffer.from("hello") });
  const { output } = await call("CreateMultipartUpload", { Bucket, Key: "to" });
  const path = `/bucket/to?partNumber=1&uploadId=${String(output["UploadId"])}&x-id=UploadPartCopy`;
  const { status, body } = await send("PUT", path, { headers: { "x-amz-copy-source": "bucket/from" } });
  assert.equal(status, 200);
  assert.match(Buffer.from(body).toString(), /<CopyPartResult.*<ETag>(?:"|&quot;)5d41402abc4b2a76b9719d911017c592/);
});
