import assert from "node:assert/strict";
import { test } from "node:test";
import { element, elementsIn, id, integer, octets, sequence, time } from "./der.ts";

const hex = (bytes: Buffer): string => bytes.toString("hex");

test("lengths up to 127 take one byte, longer ones as many as they need", () => {
  assert.equal(hex(octets(Buffer.alloc(127)).subarray(0, 2)), "047f");
  assert.equal(hex(octets(Buffer.alloc(128)).subarray(0, 3)), "048180");
  assert.equal(hex(octets(Buffer.alloc(70_000)).subarray(0, 5)), "0483011170");
});

test("the elements of an element come back as they were put in, whatever their length", () => {
  const parts = [integer(Buffer.from([5])), octets(Buffer.alloc(300, 1)), sequence(), octets(Buffer.alloc(70_000, 2))];
  assert.deepEqual(elementsIn(sequence(...parts)), parts);
  assert.throws(() => elementsIn(element(0x30, Buffer.from([0x04, 0x7f, 0]))), /longer than what holds it/);
});

test("numbers stay positive and identifiers have base 128", () => {
  assert.equal(hex(integer(Buffer.from([0x80]))), "02020080");
  assert.equal(hex(integer(Buffer.from([0x7f]))), "02017f");
  assert.equal(hex(id("1.2.840.10045.4.3.2")), "06082a8648ce3d040302");
});

test("years have two digits until 2049 and four from then on", () => {
  assert.equal(time(Date.UTC(2049, 11, 31, 23, 59, 59, 999)).toString("latin1"), "\u0017\r491231235959Z");
  assert.equal(time(Date.UTC(2050, 0, 1)).toString("latin1"), "\u0018\u000f20500101000000Z");
});
