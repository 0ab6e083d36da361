import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, Json } from "@gatewright/kube";
import { knownEvent } from "./known-event.ts";

const held: ApiObject = { apiVersion: "v1", kind: "A", metadata: { name: "a", uid: "u-1", resourceVersion: "7" } };
const known = (version: string): ApiObject | undefined => (version === "7" ? held : undefined);
const line = (type: string, metadata: object, rest: Record<string, Json> = {}): string =>
  JSON.stringify({ type, object: { metadata: { name: "a", uid: "u-1", ...metadata }, ...rest } });

test("an event that brings what is known is the known object", () => {
  for (const type of ["ADDED", "MODIFIED"]) {
    const event = knownEvent(line(type, { resourceVersion: "7" }, { data: { a: "other bytes" } }), known);
    assert.equal(event?.type, type);
    assert.equal(event?.type !== "BOOKMARK" && event?.object, held);
  }
});

test("a version or object that is not known, and the end of one that is, are for the parser", () => {
  assert.equal(knownEvent(line("MODIFIED", { resourceVersion: "8" }), known), undefined);
  assert.equal(knownEvent(line("MODIFIED", { resourceVersion: "77" }), known), undefined);
  assert.equal(knownEvent(line("MODIFIED", { resourceVersion: "7", uid: "u-2" }), known), undefined);
  assert.equal(knownEvent(line("DELETED", { resourceVersion: "7" }), known), undefined);
  assert.equal(knownEvent(line("BOOKMARK", { resourceVersion: "7" }), known), undefined);
  assert.equal(knownEvent("", known), undefined);
});

test("a version somewhere else in an object is not taken for its own", () => {
  const elsewhere = { spec: { resourceVersion: "7", uid: "u-1" } };
  assert.equal(knownEvent(line("MODIFIED", { resourceVersion: "8" }, elsewhere), known), undefined);
  const text = { resourceVersion: "8", annotations: { last: JSON.stringify({ resourceVersion: "7" }) } };
  assert.equal(knownEvent(line("MODIFIED", text), known), undefined);
});
