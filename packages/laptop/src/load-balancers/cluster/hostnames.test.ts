import assert from "node:assert/strict";
import { test } from "node:test";
import { certifies, commonHostnames, intersection } from "./hostnames.ts";

test("two hostnames have in common the narrower one, if one is within the other", () => {
  const cases: readonly (readonly [string | undefined, string | undefined, string | undefined])[] = [
    ["a.test", "a.test", "a.test"],
    ["a.test", "b.test", undefined],
    ["*.test", "a.test", "a.test"],
    ["a.test", "*.test", "a.test"],
    ["*.test", "b.a.test", "b.a.test"],
    ["*.a.test", "*.test", "*.a.test"],
    ["*.test", "test", undefined],
    [undefined, "a.test", "a.test"],
    ["", "a.test", "a.test"],
    ["a.test", undefined, "a.test"],
    [undefined, undefined, undefined],
  ];
  for (const [one, other, common] of cases) assert.equal(intersection(one, other), common, `${one} ${other}`);
});

test("a route without hostnames has those of the listener; one with others has none", () => {
  assert.deepEqual(commonHostnames("a.test", []), ["a.test"]);
  assert.deepEqual(commonHostnames(undefined, []), [undefined]);
  assert.deepEqual(commonHostnames("*.test", ["a.test", "b.other", "c.test"]), ["a.test", "c.test"]);
  assert.deepEqual(commonHostnames("a.test", ["b.test"]), []);
});

test("a certificate's wildcard stands for one label, a listener's for many", () => {
  assert.equal(certifies("*.test", "a.test"), true);
  assert.equal(certifies("*.TEST", "a.test"), true);
  assert.equal(certifies("*.test", "b.a.test"), false);
  assert.equal(certifies("*.test", "*.test"), true);
  assert.equal(certifies("a.test", "*.test"), false);
  assert.equal(certifies("*.a.test", "*.b.a.test"), false);
  assert.equal(intersection("*.test", "b.a.test"), "b.a.test");
});
