import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatJson, isRecord, parseJsonText, withPlainNumbers } from "./json-text.ts";

for (const text of [
  "9007199254740993",
  "[1.0,1.10,1e3,-0,123456789012345678901234567890]",
  '{"a":1E400,"b":"1.0"}',
  '{"__proto__":{"admin":true},"constructor":1}',
])
  test(`${text} is written as it was read`, () => {
    assert.equal(formatJson(parseJsonText(Buffer.from(text))), text);
  });

test("a number that keeps its text is no object, and can become a plain one", () => {
  const value = parseJsonText(Buffer.from("[1.0]"));
  assert.ok(Array.isArray(value));
  assert.equal(isRecord(value[0]), false);
  assert.deepEqual(withPlainNumbers(value), [1]);
});

test("fields named like the prototype stay fields", () => {
  const value = parseJsonText(Buffer.from('{"__proto__":{"admin":1.0}}'));
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(Object.hasOwn(value as object, "__proto__"), true);
  assert.equal(JSON.stringify(withPlainNumbers(value)), '{"__proto__":{"admin":1}}');
});

for (const [title, body] of [
  ["a body that is not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ["a body that nests too deeply", Buffer.from("[".repeat(100_000))],
  ["half a body", Buffer.from('{"a":')],
  ["nothing", Buffer.alloc(0)],
] as const)
  test(`${title} is refused`, () => {
    assert.throws(() => parseJsonText(body), { name: "BodySyntaxError" });
  });

test("every JSON comes out as it went in", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      assert.deepEqual(JSON.parse(formatJson(parseJsonText(Buffer.from(text)))), JSON.parse(text));
    }),
  );
});
