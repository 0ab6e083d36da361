import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { queryValue } from "./query-value.ts";

test("the first value of a repeated parameter counts, and one without a value is empty", () => {
  assert.equal(queryValue("a=1&b=2&a=3", "a"), "1");
  assert.equal(queryValue("a&b=2", "a"), "");
  assert.equal(queryValue("b=a=1", "b"), "a=1");
  assert.equal(queryValue("b=2", "a"), undefined);
  assert.equal(queryValue("", "a"), undefined);
});

test("names and values are decoded as forms encode them, and a stray percent sign stands for itself", () => {
  assert.equal(queryValue("na%20me=a+b%2Bc", "na me"), "a b+c");
  assert.equal(queryValue("a=100%", "a"), "100%");
});

test("well-formed queries read as URLSearchParams reads them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string())),
      fc.string({ minLength: 1 }),
      (pairs, other) => {
        const query = new URLSearchParams(pairs).toString();
        for (const [name] of [...pairs, [other]] as const)
          assert.equal(queryValue(query, name), new URLSearchParams(query).get(name) ?? undefined);
      },
    ),
  );
});
