import assert from "node:assert/strict";
import { test } from "node:test";
import { skippedPath } from "./skip-paths.ts";

function skips(entry: string, path: string): boolean {
  return new RegExp(`^(?:${skippedPath(entry)})$`, "u").test(path);
}

test("a path is skipped as it is written, whatever its query", () => {
  assert.equal(skips("/healthz", "/healthz"), true);
  assert.equal(skips("/healthz", "/healthz?a=/b"), true);
  assert.equal(skips("/healthz", "/healthz/x"), false);
  assert.equal(skips("/health.", "/healthz"), false);
});

test("a star at the end stands for all that follows, but for escaped slashes", () => {
  assert.equal(skips("/public/*", "/public/x/y%20z"), true);
  for (const path of ["/public/..%2Fadmin", "/public/%5cadmin", "/public/%2f", "/private"])
    assert.equal(skips("/public/*", path), false, path);
});
