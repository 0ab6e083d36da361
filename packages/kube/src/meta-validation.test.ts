import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "./field-error.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./meta-validation.ts";
import { nameIsDNSSubdomain } from "./names.ts";
import type { ObjectMeta } from "./object.ts";

const created = (meta: ObjectMeta, namespaced = true): string[] =>
  validateObjectMeta(meta, { namespaced, nameErrors: nameIsDNSSubdomain }).map(formatFieldError);
const good: ObjectMeta = { name: "a", namespace: "default", uid: "u", resourceVersion: "1" };
const updated = (change: ObjectMeta, old: ObjectMeta = {}): string[] =>
  validateObjectMetaUpdate({ ...good, ...old, ...change }, { ...good, ...old }).map(formatFieldError);

test("good metadata passes", () => {
  assert.deepEqual(
    created({ ...good, labels: { "example.com/a": "b" }, annotations: { "Example.com/A": "anything" } }),
    [],
  );
  assert.deepEqual(created({ name: "a" }, false), []);
  assert.deepEqual(updated({ labels: { a: "b" } }), []);
});

test("a name and, for namespaced kinds, a namespace are required", () => {
  assert.deepEqual(created({}), [
    "metadata.name: Required value: name or generateName is required",
    "metadata.namespace: Required value",
  ]);
  assert.deepEqual(created({ name: "a", namespace: "b" }, false), [
    "metadata.namespace: Forbidden: not allowed on this type",
  ]);
});

test("annotations have a common limit", () => {
  assert.deepEqual(created({ ...good, annotations: { a: "x".repeat(262144) } }), [
    "metadata.annotations: Too long: may not be more than 262144 bytes",
  ]);
});

test("only one owner is the controller, and Events own nothing", () => {
  const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "1", controller: true };
  const errors = created({ ...good, ownerReferences: [owner, { ...owner, name: "q" }] });
  assert.equal(errors.length, 1);
  assert.match(
    errors[0]!,
    /Only one reference can have Controller set to true\. Found "true" in references for Pod\/p and Pod\/q$/,
  );
  const event = { apiVersion: "v1", kind: "Event", name: "e", uid: "1" };
  assert.match(
    created({ ...good, ownerReferences: [event] })[0]!,
    /: \/v1, Kind=Event is disallowed from being an owner$/,
  );
});

test("the two deletion finalizers exclude each other", () => {
  assert.match(
    created({ ...good, finalizers: ["orphan", "foregroundDeletion"] })[0]!,
    /finalizer orphan and foregroundDeletion cannot be both set/,
  );
});

test("nobody adds a finalizer to an object that is being deleted", () => {
  const old = { deletionTimestamp: "2024-01-01T00:00:00Z", finalizers: ["a/b"] };
  assert.deepEqual(updated({ finalizers: ["c/d", "a/b"] }, old), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
  ]);
  assert.deepEqual(updated({ finalizers: [] }, old), []);
});

test("what identifies an object never changes", () => {
  assert.deepEqual(updated({ uid: "v" }), ['metadata.uid: Invalid value: "v": field is immutable']);
  assert.deepEqual(updated({ resourceVersion: "" }), [
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
  ]);
});

test("managed fields name a known operation and a printable manager", () => {
  assert.deepEqual(created({ ...good, managedFields: [{ manager: "a\nb", operation: "Patch" }] }), [
    'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
    'metadata.managedFields[0].manager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  ]);
});
