import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "@gatewright/kube";
import fc from "fast-check";
import { TransportError } from "../transport/transport-error.ts";
import { ListSplitter } from "./list-splitter.ts";

interface Split {
  readonly items: readonly Json[];
  readonly envelope: JsonObject;
}

function split(chunks: readonly Uint8Array[]): Split {
  const items: Json[] = [];
  const splitter = new ListSplitter((item) => items.push(item));
  for (const chunk of chunks) splitter.push(chunk);
  return { envelope: splitter.end(), items };
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const chunkings = fc.oneof(
  fc.array(fc.nat(), { maxLength: 12 }),
  fc.constant(Array.from({ length: 4000 }, (_, i) => i)),
);
const fields = fc.dictionary(
  fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("items")),
  fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }),
  { maxKeys: 5 },
);

test("any list gives the same items and envelope however its bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 5 }), fields, fields, fc.boolean(), fc.nat(3), chunkings, (...given) => {
      const [items, before, after, hasBom, indent, cuts] = given;
      const document = { b: before, items, metadata: { resourceVersion: "1" }, a: after };
      const text = JSON.stringify(document, undefined, indent);
      const result = split(cutAt(Buffer.from(`${hasBom ? "\ufeff" : ""}${text}\n`), cuts));
      const expected = JSON.parse(text) as JsonObject;
      assert.deepEqual(result.items, expected["items"]);
      assert.deepEqual(result.envelope, { ...expected, items: [] });
    }),
  );
});

test("a list that is cut anywhere is never taken for a whole one", () => {
  const whole = Buffer.from('{"kind":"L","items":[{"a":"}]\\"é"},{"b":[{}]}],"metadata":{"resourceVersion":"7"}}');
  for (let end = 0; end < whole.length; end++) {
    assert.throws(() => split([whole.subarray(0, end)]), TransportError, `cut at ${end}`);
  }
  assert.equal(split([whole]).items.length, 2);
});

const refused: readonly (readonly [string, string])[] = [
  ["HTML", "<html><body>Bad gateway</body></html>"],
  ["an object that is no list", '{"kind":"Status","apiVersion":"v1"}'],
  ["an items object", '{"items":{}}'],
  ["items twice", '{"items":[],"items":[]}'],
  ["items that are numbers", '{"items":[1]}'],
  ["a comma before the end", '{"items":[{},]}'],
  ["no comma between items", '{"items":[{}{}]}'],
  ["an item that is not JSON", '{"items":[{a:1}]}'],
  ["brackets that do not match", '{"items":[{"a":[}]]}'],
  ["two documents", '{"items":[]}{"items":[]}'],
  ["an array", '["items",[{}]]'],
];

for (const [what, text] of refused) {
  test(`${what} is refused`, () => {
    assert.throws(
      () => split([Buffer.from(text)]),
      (error: unknown) => error instanceof TransportError && ["malformed", "cut"].includes(error.code),
    );
  });
}

test("null items are an empty list, and items deeper in the document are not the list's", () => {
  assert.deepEqual(split([Buffer.from('{"items":null}')]).items, []);
  const nested = '{"metadata":{"items":[{"no":1}]},"x":"items","items":[{"yes":1}]}';
  assert.deepEqual(split([Buffer.from(nested)]).items, [{ yes: 1 }]);
});
