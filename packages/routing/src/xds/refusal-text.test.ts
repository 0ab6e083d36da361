import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalText } from "./refusal-text.ts";

test("what quotes the configuration is cut to the rule that was broken", () => {
  const error =
    'goo.gle/debugonly\nheader { value: "Basic c2VjcmV0" }\n: Proto constraint validation failed (Abort: status)';
  assert.equal(refusalText(error), "Proto constraint validation failed (Abort: status)");
});

test("what may hold the configuration is not told", () => {
  assert.doesNotMatch(refusalText('header {\n value: "Basic c2VjcmV0" }'), /Basic/u);
});

test("one line is told, up to a length", () => {
  assert.equal(refusalText("no such cluster"), "no such cluster");
  assert.ok(refusalText("x".repeat(5000)).length < 400);
});
