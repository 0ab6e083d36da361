import assert from "node:assert/strict";
import { test } from "node:test";
import { aggregateText } from "./aggregate-text.ts";

test("one error is told as it is, several in brackets, and each once", () => {
  assert.equal(aggregateText(["a, b"]), "a, b");
  assert.equal(aggregateText(["a", "b"]), "[a, b]");
  assert.equal(aggregateText(["b", "a", "b"]), "[b, a]");
  assert.equal(aggregateText(["a", "a"]), "a");
});
