import assert from "node:assert/strict";
import { test } from "node:test";
import { bodilessCode, classify } from "./classify.ts";

const kindOf = (code: string, status = 400): string => classify({ code, status }, false);

test("each service's own word for what is not there is known", () => {
  const codes = [
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
    "NoSuchBucket",
    "NoSuchBucketPolicy",
    "NoSuchTagSet",
    "OwnershipControlsNotFoundError",
    "ServerSideEncryptionConfigurationNotFoundError",
    "ReplicationConfigurationNotFoundError",
    "ObjectLockConfigurationNotFoundError",
    "DBInstanceNotFound",
    "DBInstanceNotFoundFault",
    "DBSubnetGroupNotFoundFault",
    "InvalidInstanceID.NotFound",
    "InvalidVolume.NotFound",
    "ResourceNotFoundException",
    "NotFound",
    "NotFoundException",
    "NoSuchEntity",
    "RepositoryNotFoundException",
    "LifecyclePolicyNotFoundException",
  ];
  for (const code of codes) assert.equal(kindOf(code, 404), "absent", code);
});

test("what stands in the way for a moment passes, and nothing was done", () => {
  for (const code of [
    "OperationAborted",
    "ConcurrentModification",
    "ConcurrentAccess",
    "EntityTemporarilyUnmodifiable",
  ])
    assert.equal(kindOf(code, 409), "retry", code);
  for (const code of ["KmsThrottled", "ProvisionedThroughputExceededException", "SlowDown"])
    assert.equal(kindOf(code), "throttled", code);
});

test("limits of the account are no throttling: the same again is refused again", () => {
  for (const code of ["LimitExceeded", "LimitExceededException", "InstanceQuotaExceeded", "TooManyBuckets"])
    assert.equal(kindOf(code), "terminal", code);
});

test("an answer without a body is believed when AWS signed it with a request id", () => {
  const answer = (status: number, headers = {}, body = "") => ({ status, headers, body: Buffer.from(body) });
  const own = { "x-amz-request-id": "id" };
  assert.equal(bodilessCode(answer(404, own)), "NotFound");
  assert.equal(bodilessCode(answer(403, own)), "Forbidden");
  assert.equal(bodilessCode(answer(301, own)), "PermanentRedirect");
  assert.equal(bodilessCode(answer(404)), undefined);
  assert.equal(bodilessCode(answer(404, own, "<Error/>")), undefined);
});
