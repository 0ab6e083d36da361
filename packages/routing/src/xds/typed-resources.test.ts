import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, made } from "./testing/made-resources.ts";
import { TypedResources } from "./typed-resources.ts";

test("who has all up to a generation is told what changed after it, each once", () => {
  const resources = filled("a", "b");
  resources.set(made("a", "2"), 2);
  resources.set(made("a", "3"), 3);
  resources.set(made("c"), 3);
  const names = (generation: number) => resources.since(generation)?.map(({ name }) => name);
  assert.deepEqual(names(0), ["b", "a", "c"]);
  assert.deepEqual(names(1), ["a", "c"]);
  assert.deepEqual(names(3), []);
});

test("the same content is no change, unless it is to be sent again", () => {
  const resources = filled("a");
  assert.equal(resources.set(made("a"), 2), false);
  assert.deepEqual(resources.since(1), []);
  assert.equal(resources.set(made("a"), 2, true), true);
  assert.equal(resources.since(1)?.length, 1);
});

test("what went is remembered as it was", () => {
  const resources = filled("a");
  resources.remove("a", 2);
  const [gone] = resources.since(1) ?? [];
  assert.equal(gone?.resource, undefined);
  assert.equal(gone?.last?.name, "a");
  assert.equal(resources.size, 0);
  assert.equal(resources.remove("a", 3), false);
});

test("the version is of the content, whatever the way to it", () => {
  const one = filled("a", "b");
  const other = filled("b");
  assert.notEqual(one.version, other.version);
  other.set(made("a", "other"), 2);
  other.set(made("a"), 3);
  assert.equal(one.version, other.version);
  one.remove("a", 4);
  one.remove("b", 4);
  assert.equal(one.version, new TypedResources().version);
});

test("what is too long ago to know is said so, and what is there is always known", () => {
  const resources = new TypedResources();
  resources.set(made("kept"), 1);
  for (let at = 2; at < 25_000; at++) {
    resources.set(made("passing", String(at)), at);
    if (at % 2 === 0) resources.remove("passing", at);
  }
  assert.equal(resources.since(1), undefined);
  assert.deepEqual([...resources.live()].map(({ name }) => name).toSorted(), ["kept", "passing"]);
});
