import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deepFreeze } from "../json/freeze.ts";
import { isObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { applyMergePatch } from "./merge-patch.ts";

const object = fc
  .dictionary(fc.constantFrom("a", "b", "c", "__proto__", "constructor"), fc.jsonValue({ maxDepth: 3 }))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe("merge patch", () => {
  it("sets, deletes and merges by key", () => {
    const patch = { a: { b: null, d: { e: null, f: 2 } }, g: [1], h: null };
    assert.deepEqual(applyMergePatch({ a: { b: 1, c: 1 }, g: { x: 1 }, h: 1 }, patch), {
      a: { c: 1, d: { f: 2 } },
      g: [1],
    });
  });

  it("drops nulls from new objects, inside lists too, but not from a list that replaces an object", () => {
    assert.deepEqual(applyMergePatch({}, { a: [{ b: null, c: 1 }, null] }), { a: [{ c: 1 }, null] });
    assert.deepEqual(applyMergePatch({ a: {} }, { a: [{ b: null }] }), { a: [{ b: null }] });
  });

  it("takes an array as the document and refuses scalars", () => {
    assert.deepEqual(applyMergePatch({ a: 1 }, [1]), [1]);
    for (const patch of [null, 1, "a", true]) {
      assert.throws(() => applyMergePatch({}, patch), { code: 400, message: "Invalid JSON Patch" });
    }
  });

  it("settles, changes nothing it is given, and ends with what the patch says", () => {
    const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
    fc.assert(
      fc.property(object, object, (document, patch) => {
        deepFreeze(document);
        deepFreeze(patch);
        const once = applyMergePatch(document, patch) as JsonObject;
        const twice = applyMergePatch(once, patch) as JsonObject;
        assert.deepEqual(applyMergePatch(twice, patch), twice);
        assert.deepEqual(applyMergePatch(document, {}), document);
        for (const key of Object.keys(patch)) assert.equal(Object.hasOwn(once, key), patch[key] !== null);
        for (const key of Object.keys(document)) {
          if (!Object.hasOwn(patch, key)) assert.deepEqual(once[key], document[key]);
        }
        assert.ok(isObject(once) && Object.getPrototypeOf(once) === Object.prototype);
        assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), prototype);
      }),
      { numRuns: 500 },
    );
  });
});
