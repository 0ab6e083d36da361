import assert from "node:assert/strict";
import { test } from "node:test";
import { BadMessage } from "./bad-message.ts";
import { FieldMemory } from "./field-memory.ts";

test("fields that come again mean the same, whatever was done with them before", () => {
  const memory = new FieldMemory(100, "drop");
  const text = "GET / HTTP/1.1\r\nHost: a\r\nConnection: x-hop\r\nX-Hop: 1\r\nX-A: 1\r\nContent-Length: 3\r\n\r\n";
  const first = memory.read(text, 16);
  const before = structuredClone(first);
  first.fields.set("x-a", "2");
  first.fields.add("x-b", "3");
  const second = memory.read(`POST ${text.slice(4)}`, 17);
  assert.deepEqual(structuredClone(second), before);
  assert.deepEqual(second.fields.flat, ["x-a", "1"]);
  second.fields.remove("x-a");
  assert.deepEqual(memory.read(text, 16).fields.flat, ["x-a", "1"]);
});

test("fields that differ in one byte are read", () => {
  const memory = new FieldMemory(100, "drop");
  assert.equal(memory.read("Host: a\r\nContent-Length: 3\r\n\r\n", 0).length, 3);
  assert.equal(memory.read("Host: a\r\nContent-Length: 4\r\n\r\n", 0).length, 4);
  assert.throws(() => memory.read("Host: a\r\nContent-Length: +\r\n\r\n", 0), BadMessage);
  assert.throws(() => memory.read("Host: a\r\nContent-Length: +\r\n\r\n", 0), BadMessage);
  assert.equal(memory.read("Host: a\r\nContent-Length: 4\r\n\r\n", 0).length, 4);
});
