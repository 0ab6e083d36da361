import assert from "node:assert/strict";
import { test } from "node:test";
import { createBundler } from "./bundler.ts";

test("names of a kind that come within the window wait for each other", () => {
  const bundler = createBundler(2_000);
  assert.deepEqual(bundler.gather("Z1 RSA_2048", "a", 0, 10), { names: ["a"], waitMs: 2_000 });
  assert.deepEqual(bundler.gather("Z1 RSA_2048", "b", 500, 10), { names: ["b", "a"], waitMs: 2_000 });
  assert.deepEqual(bundler.gather("Z2 RSA_2048", "c", 500, 10).names, ["c"]);
  assert.deepEqual(bundler.gather("Z1 RSA_2048", "a", 2_000, 10), { names: ["a", "b"], waitMs: 0 });
});

test("a full certificate waits for nobody", () => {
  const bundler = createBundler(2_000);
  bundler.gather("Z1", "a", 0, 2);
  assert.deepEqual(bundler.gather("Z1", "b", 0, 2), { names: ["b", "a"], waitMs: 0 });
});

test("who has left is in nobody's certificate", () => {
  const bundler = createBundler(2_000);
  bundler.gather("Z1", "a", 0, 10);
  bundler.leave("a");
  assert.deepEqual(bundler.gather("Z1", "b", 0, 10).names, ["b"]);
});
