import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeProgress, RecordChange, RecordSet } from "@gatewright/aws";
import { publication, sharesPlace, withdrawal } from "./publication.ts";
import type { PublicationInput } from "./publication.ts";

const wanted: RecordSet = { name: "shop.example.com", type: "A", ttl: 60, values: ["192.0.2.1"] };
const older: RecordSet = { ...wanted, values: ["192.0.2.2"] };
const foreign: RecordSet = { ...wanted, values: ["198.51.100.1"] };
const create: RecordChange = { action: "create", record: wanted };
const base: PublicationInput = { wanted, ours: [wanted], adopt: false, answer: undefined };
const refused = (found: readonly RecordSet[], change: RecordChange = create, tries = 1) => ({
  change,
  tries,
  progress: { state: "refused", code: "InvalidChangeBatch", message: "no", found } as ChangeProgress,
});

test("a record is created where nothing is known to be, and replaces its older self where that is remembered", () => {
  assert.deepEqual(publication(base), { state: "ask", change: create });
  const change = { action: "replace", from: older, to: wanted };
  assert.deepEqual(publication({ ...base, ours: [older, wanted] }), { state: "ask", change });
});

test("what the zone was read to have is what a repair replaces", () => {
  const change = { action: "replace", from: foreign, to: wanted };
  assert.deepEqual(publication({ ...base, read: foreign, adopt: true }), { state: "ask", change });
});

test("what is found to be there already is done", () => {
  assert.deepEqual(publication({ ...base, answer: refused([wanted]) }), { state: "done" });
});

test("what is found and ours is replaced; what is not ours is a conflict, unless it may be adopted", () => {
  const from = (record: RecordSet) => ({ state: "ask", change: { action: "replace", from: record, to: wanted } });
  assert.deepEqual(publication({ ...base, ours: [older, wanted], answer: refused([older]) }), from(older));
  assert.deepEqual(publication({ ...base, answer: refused([foreign]) }), { state: "conflict", found: foreign });
  assert.deepEqual(publication({ ...base, adopt: true, answer: refused([foreign]) }), from(foreign));
});

test("a record that is refused though nothing is in its place is not tried again and again", () => {
  assert.deepEqual(publication({ ...base, answer: refused([]) }), { state: "refused", message: "no" });
  const answer = refused([foreign], { action: "replace", from: older, to: wanted }, 4);
  assert.deepEqual(publication({ ...base, adopt: true, answer }), { state: "refused", message: "no" });
});

test("sets of one name do not stand in each other's way, but a record without a set does", () => {
  const blue = { ...wanted, setIdentifier: "blue", weight: 1 };
  assert.equal(sharesPlace(blue, { ...blue, setIdentifier: "green" }), false);
  assert.equal(sharesPlace(blue, wanted), true);
});

test("what somebody else has put in a record's place stays when the record is taken away", () => {
  const change = { action: "delete", record: wanted } as const;
  assert.deepEqual(withdrawal(wanted, undefined), { state: "ask", change });
  assert.deepEqual(withdrawal(wanted, refused([foreign], change)), { state: "done" });
  assert.deepEqual(withdrawal(wanted, refused([{ ...wanted, ttl: 300 }], change)), { state: "done" });
  assert.deepEqual(withdrawal(wanted, refused([wanted], change)), { state: "refused", message: "no" });
});
