import assert from "node:assert/strict";
import { test } from "node:test";
import { widget } from "../testing/widgets.ts";
import { newsOf } from "./news.ts";

const types = (...args: Parameters<typeof newsOf>): string[] => newsOf(...args).map(({ type }) => type);

test("what was never told is added, whatever the watch calls it", () => {
  assert.deepEqual(types(undefined, { type: "MODIFIED", object: widget("a", 5) }), ["ADDED"]);
  assert.deepEqual(types(undefined, { type: "DELETED", object: widget("a", 5) }), []);
});

test("a version is told once, and never an older one after it", () => {
  assert.deepEqual(types(widget("a", 5), { type: "MODIFIED", object: widget("a", 6) }), ["MODIFIED"]);
  assert.deepEqual(types(widget("a", 5), { type: "ADDED", object: widget("a", 6) }), ["MODIFIED"]);
  assert.deepEqual(types(widget("a", 5), { type: "MODIFIED", object: widget("a", 5) }), []);
  assert.deepEqual(types(widget("a", 10), { type: "MODIFIED", object: widget("a", 9) }), []);
});

test("a name that was taken anew unseen is a deletion and an addition", () => {
  const anew = widget("a", 9, { uid: "other" });
  const news = newsOf(widget("a", 5), { type: "ADDED", object: anew });
  assert.deepEqual(
    news.map(({ type, object }) => [type, object.metadata.uid]),
    [
      ["DELETED", "uid-a"],
      ["ADDED", "other"],
    ],
  );
  assert.deepEqual(types(widget("a", 5), { type: "DELETED", object: anew }), []);
});
