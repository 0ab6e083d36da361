import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/s3";
import { seededRandom } from "@gatewright/ports";
import { serviceCaller, testWorld } from "../testing/service-caller.ts";
import { BlobMissingError, BlobsFullError } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";
import { createS3 } from "./create-s3.ts";
import { openFileBlobs } from "./file-blobs.ts";
import { createMemoryBlobs } from "./memory-blobs.ts";

const { signal } = new AbortController();

async function keepsItsPromises(blobs: Blobs): Promise<void> {
  const bytes = Buffer.from("hello");
  const id = await blobs.put(bytes, signal);
  bytes.fill(0);
  assert.equal(Buffer.from(await blobs.get(id, { start: 1, end: 3 }, signal)).toString(), "el");
  const copy = await blobs.copy(id, signal);
  await blobs.delete(id);
  await blobs.delete(id);
  await assert.rejects(blobs.get(id, { start: 0, end: 1 }, signal), BlobMissingError);
  assert.equal(Buffer.from(await blobs.get(copy, { start: 0, end: 5 }, signal)).toString(), "hello");
  await blobs.delete(copy);
}

test("blobs in memory are what was put, in part and as copies, until they are deleted", async () => {
  await keepsItsPromises(createMemoryBlobs());
});

test("blobs in files are what was put, and leave nothing behind", async () => {
  const directory = await mkdtemp(join(tmpdir(), "blobs-"));
  try {
    const blobs = await openFileBlobs(directory, seededRandom(1));
    await keepsItsPromises(blobs);
    assert.deepEqual(await readdir(directory), []);
    await assert.rejects(blobs.get("../secret", { start: 0, end: 1 }, signal), BlobMissingError);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a sweep removes drafts and blobs that nothing is made of, and nothing that is not its own", async () => {
  const directory = await mkdtemp(join(tmpdir(), "blobs-"));
  try {
    const blobs = await openFileBlobs(directory, seededRandom(1));
    const world = testWorld({ lag: false });
    const s3 = createS3(world, { blobs });
    const call = serviceCaller<Operations>(s3.service);
    await call("CreateBucket", { Bucket: "files" });
    await call("PutObject", { Bucket: "files", Key: "a", Body: Buffer.from("kept") });
    const { UploadId = "" } = await call("CreateMultipartUpload", { Bucket: "files", Key: "b" });
    await call("UploadPart", { Bucket: "files", Key: "b", UploadId, PartNumber: 1, Body: Buffer.from("part") });
    const waste = await blobs.put(Buffer.from("its record was never committed"), signal);
    await writeFile(join(directory, `${"0".repeat(32)}.draft`), "half");
    await writeFile(join(directory, "README"), "somebody else's");
    assert.equal(await blobs.sweep(s3.usedBlobs()), 2);
    assert.equal(await blobs.sweep(s3.usedBlobs()), 0);
    await assert.rejects(blobs.get(waste, { start: 0, end: 1 }, signal), BlobMissingError);
    assert.equal((await readdir(directory)).length, 3);
    const { Body = new Uint8Array() } = await call("GetObject", { Bucket: "files", Key: "a" });
    assert.equal(Buffer.from(Body).toString(), "kept");
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("an empty part can be put again, completed and aborted", async () => {
  const directory = await mkdtemp(join(tmpdir(), "blobs-"));
  try {
    const faults: unknown[] = [];
    const blobs = await openFileBlobs(directory, seededRandom(1));
    const onFault = (error: unknown): void => void faults.push(error);
    const call = serviceCaller<Operations>(createS3(testWorld({ lag: false }), { blobs, onFault }).service);
    const at = { Bucket: "files", Key: "k" };
    await call("CreateBucket", at);
    const { UploadId = "" } = await call("CreateMultipartUpload", at);
    await call("UploadPart", { ...at, UploadId, PartNumber: 1, Body: Buffer.from("") });
    const { ETag } = await call("UploadPart", { ...at, UploadId, PartNumber: 1, Body: Buffer.from("abc") });
    await call("UploadPart", { ...at, UploadId, PartNumber: 2, Body: Buffer.from("") });
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await call("CompleteMultipartUpload", { ...at, UploadId, MultipartUpload });
    assert.equal(Buffer.from((await call("GetObject", at)).Body ?? []).toString(), "abc");
    const { UploadId: other = "" } = await call("CreateMultipartUpload", at);
    await call("UploadPart", { ...at, UploadId: other, PartNumber: 1, Body: Buffer.from("") });
    await call("AbortMultipartUpload", { ...at, UploadId: other });
    assert.deepEqual(faults, []);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("bytes that cannot be removed are told to the log, and what took their place stays", async () => {
  const faults: unknown[] = [];
  const broken = new Error("the disk is gone");
  const blobs: Blobs = { ...createMemoryBlobs(), delete: () => Promise.reject(broken) };
  const onFault = (error: unknown): void => void faults.push(error);
  const call = serviceCaller<Operations>(createS3(testWorld({ lag: false }), { blobs, onFault }).service);
  const at = { Bucket: "files", Key: "k" };
  await call("CreateBucket", at);
  for (const text of ["one", "two"]) await call("PutObject", { ...at, Body: Buffer.from(text) });
  await call("CopyObject", { ...at, Key: "copy", CopySource: "files/k" });
  await call("CopyObject", { ...at, Key: "copy", CopySource: "files/k" });
  for (const Key of ["k", "copy"]) {
    assert.equal(Buffer.from((await call("GetObject", { ...at, Key })).Body ?? []).toString(), "two");
  }
  await call("DeleteObject", at);
  assert.deepEqual(faults, [broken, broken, broken]);
});

test("memory has a bound, and what is deleted makes room", async () => {
  const blobs = createMemoryBlobs({ capacity: 8 });
  const id = await blobs.put(Buffer.alloc(6), signal);
  await assert.rejects(blobs.put(Buffer.alloc(6), signal), BlobsFullError);
  await blobs.delete(id);
  await blobs.put(Buffer.alloc(8), signal);
});
