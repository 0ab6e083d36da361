import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { S3Bucket } from "@gatewright/resources";
import { admissionOf } from "../testing/admission.ts";

const admission = admissionOf(S3Bucket);

const object = (spec: JsonObject): object => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "S3Bucket",
  metadata: { name: "photos", namespace: "shop" },
  spec: { providerRef: { name: "aws" }, bucketName: "shop-photos", ...spec },
});

function refusal(spec: JsonObject, old?: JsonObject): string {
  const judged = admission.judge(object(spec), old && object(old));
  return "refused" in judged ? judged.refused : "";
}

test("names that no bucket can have are refused", () => {
  for (const name of [
    "ab",
    "a".repeat(64),
    "Photos",
    "my_photos",
    "-photos",
    "photos.",
    "my..photos",
    "192.168.5.4",
    "xn--photos",
    "sthree-photos",
    "amzn-s3-demo-photos",
    "photos-s3alias",
    "photos--ol-s3",
    "photos.mrap",
    "photos--x-s3",
    "photos--table-s3",
    "photos-an",
  ]) {
    assert.match(refusal({ bucketName: name }), /bucketName/, name);
  }
  for (const name of ["abc", "a".repeat(63), "my.photos-2", "1.2.3", "0photos"]) {
    assert.equal(refusal({ bucketName: name }), "", name);
  }
});

test("a bucket keeps its name, and object lock once it has it", () => {
  assert.match(refusal({ bucketName: "others" }, { bucketName: "photos" }), /is immutable/);
  const locked = { versioning: { enabled: true }, objectLock: { enabled: true } };
  assert.match(refusal({ versioning: { enabled: true } }, locked), /objectLock may not be removed once set/);
  assert.equal(refusal(locked, { versioning: { enabled: true } }), "");
});

test("what AWS would refuse, or what would have no effect, is refused with the reason", () => {
  const copy = { role: "arn:aws:iam::000000000000:role/r", rules: [{ destination: { bucketARN: "arn:aws:s3:::b" } }] };
  const cases: readonly (readonly [JsonObject, RegExp])[] = [
    [{ encryption: { algorithm: "AES256", kmsKeyID: "k" } }, /kmsKeyID is for the algorithms with KMS/],
    [{ encryption: { algorithm: "DES" } }, /Unsupported value/],
    [{ objectLock: { enabled: true } }, /objectLock needs versioning/],
    [{ versioning: { enabled: true }, objectLock: { enabled: false } }, /cannot be turned off/],
    [{ versioning: { enabled: false }, replication: copy }, /replication needs versioning/],
    [{ acl: "public-read" }, /needs objectOwnership/],
    [{ acl: "public-read", objectOwnership: "ObjectWriter" }, /needs publicAccessBlock.blockPublicAcls: false/],
    [{ bucketName: "my.photos", accelerate: { enabled: true } }, /names with dots/],
    [{ policy: "allow all" }, /policy/],
    [{ lifecycleRules: [{ id: "a" }] }, /at least one of expiration/],
    [{ lifecycleRules: [{ expiration: { days: 1, date: "2030-01-01" } }] }, /exactly one of days/],
    [{ lifecycleRules: [{ transitions: [{ days: 1, storageClass: "STANDARD_IA" }] }] }, /30 days/],
    [
      { lifecycleRules: [{ tags: { a: "b" }, abortIncompleteMultipartUpload: { daysAfterInitiation: 1 } }] },
      /unfinished uploads have no tags/,
    ],
    [
      {
        lifecycleRules: [{ objectSizeGreaterThan: 1000, abortIncompleteMultipartUpload: { daysAfterInitiation: 1 } }],
      },
      /unfinished uploads have no size/,
    ],
    [{ website: { errorDocument: "e" } }, /indexDocument/],
    [{ website: { indexDocument: "i", redirectAllRequestsTo: { hostName: "h" } } }, /nothing else/],
    [{ notificationConfiguration: { queues: [{ events: ["s3:ObjectCreated:*"] }] } }, /exactly one of queueARN/],
    [{ tags: { "aws:mine": "1" } }, /aws:/],
  ];
  for (const [spec, expected] of cases) assert.match(refusal(spec), expected, JSON.stringify(spec));
});

test("both spellings of KMS are taken", () => {
  for (const algorithm of ["aws_kms", "aws:kms"]) assert.equal(refusal({ encryption: { algorithm } }), "");
});
