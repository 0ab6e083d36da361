import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32c, crc64nvme } from "./crc.ts";

const DIGITS = Buffer.from("123456789");

test("sums are those that are published for the digits from 1 to 9, in one part and in several", () => {
  for (const parts of [[DIGITS], [DIGITS.subarray(0, 4), Buffer.alloc(0), DIGITS.subarray(4)]]) {
    assert.equal(crc32c(parts).toString("hex"), "e3069283");
    assert.equal(crc64nvme(parts).toString("hex"), "ae8b14860a799888");
  }
});

test("sums of zeros and of nothing are those of the standards", () => {
  assert.equal(crc32c([Buffer.alloc(32)]).toString("hex"), "8a9136aa");
  assert.equal(crc32c([]).toString("hex"), "00000000");
  assert.equal(crc64nvme([Buffer.alloc(4096)]).toString("hex"), "6482d367eb22b64e");
});
