import assert from "node:assert/strict";
import { test } from "node:test";
import { RDSInstance, SQSQueue } from "@gatewright/resources";
import { policyWords } from "./policy-words.ts";

test("each policy has the words of its kind's definition", () => {
  assert.equal(policyWords(SQSQueue, "Delete"), "it goes, with its messages");
  assert.equal(policyWords(SQSQueue, "Orphan"), "it stays, without the operator's tags");
  assert.equal(policyWords(RDSInstance, "Delete"), "it goes, after a final snapshot unless skipFinalSnapshot");
  assert.equal(policyWords(RDSInstance, "Retain"), "it stays as it is");
  assert.equal(policyWords(SQSQueue, "Stop"), undefined);
});
