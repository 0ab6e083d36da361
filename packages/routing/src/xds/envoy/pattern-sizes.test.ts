import assert from "node:assert/strict";
import { test } from "node:test";
import { patternsIn, sizeOnEnvoy } from "./pattern-sizes.ts";
import { served } from "./testing/served.ts";

test("patterns are found wherever they stand", () => {
  assert.deepEqual([...patternsIn({ a: [{ regex: "x" }], b: { c: { regex: "y" } }, d: "regex" })], ["x", "y"]);
});

test("a set of nearly all characters counts for many", () => {
  assert.ok(sizeOnEnvoy("/[^/]+") > sizeOnEnvoy("/[a-z]+"));
  assert.ok(sizeOnEnvoy(String.raw`/a\.b`) < sizeOnEnvoy("/a.b"));
});

test("a route with a pattern that Envoy would refuse is left out by itself, and told", () => {
  const match = [{ uri: { regex: "/[a-z]{1,200}" } }];
  const { routes, fields } = served({ match, directResponse: { status: 200 } });
  assert.deepEqual([routes, fields], [[], ["spec.match"]]);
});
