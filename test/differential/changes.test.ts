import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANGES } from "./changes.ts";

const reason = (at: string, real: unknown, embedded: unknown): string | undefined =>
  CHANGES.find((change) => change.explains({ step: 1, at, real, embedded }))?.what;

const CAUSE = "body.details.causes.0.message";

test("a value that is quoted as Go is the one that is quoted as JSON", () => {
  const asGo = 'Invalid value: []string{"a: b"}: too many';
  assert.equal(reason(CAUSE, asGo, 'Invalid value: ["a: b"]: too many'), "refusals quote values as JSON, not as Go");
  assert.equal(
    reason(CAUSE, 'Duplicate value: core.Port{Name:"a"}', 'Duplicate value: {"Name":"a"}') !== undefined,
    true,
  );
});

test("another complaint about the same value is no change of quoting", () => {
  assert.equal(reason(CAUSE, 'Invalid value: []string{"a"}: too many', 'Invalid value: ["a"]: too few'), undefined);
  assert.equal(reason(CAUSE, 'Required value: []string{"a"}: x', 'Invalid value: ["a"]: x'), undefined);
});

test("a time that is set stays a difference, one that is null does not", () => {
  assert.equal(reason("body.metadata.creationTimestamp", "<time>", undefined), undefined);
  assert.notEqual(reason("body.spec.template.metadata.creationTimestamp", null, undefined), undefined);
});

test("another status is never explained", () => {
  assert.equal(reason("status", 201, 422), undefined);
});

test("a summary is about the same object", () => {
  const message = (name: string): string => `Service "${name}" is invalid: spec: x`;
  assert.notEqual(reason("body.message", message("a"), `${message("a")}y`), undefined);
  assert.equal(reason("body.message", message("a"), message("b")), undefined);
});
