import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { sampleResource } from "../discovery/testing/sample-resource.ts";
import { foreignProblems } from "./foreign-version.ts";
import type { ResourceCall } from "./resource-call.ts";

const group = "example.com";
const resource = sampleResource({
  group,
  versions: ["v1"],
  resource: "foos",
  kind: "Foo",
  namespaced: true,
  openapi: { type: "object" },
});
const call = { resource, version: resource.versions[0]! } as ResourceCall;
const foo = (apiVersion: string, more: JsonObject = {}): JsonObject => ({
  apiVersion,
  kind: "Foo",
  metadata: { name: "a", odd: 1 },
  spec: {},
  ...more,
});

test("an object of the version that was asked is not foreign", () => {
  assert.equal(foreignProblems(call, foo(`${group}/v1`)), undefined);
});

test("a version that is not served knows metadata only, and the object is left as it is", () => {
  const object = foo(`${group}/v2`, { also: 1 });
  const before = structuredClone(object);
  assert.deepEqual(foreignProblems(call, object), [
    'unknown field "metadata.odd"',
    'unknown field "also"',
    'unknown field "spec"',
  ]);
  assert.deepEqual(object, before);
});

test("fields of other groups and kinds are not judged", () => {
  assert.deepEqual(foreignProblems(call, foo("other.example.com/v1")), []);
  assert.deepEqual(foreignProblems(call, foo(`${group}/v2`, { kind: "Bar" })), []);
});
