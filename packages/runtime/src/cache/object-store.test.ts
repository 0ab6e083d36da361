import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { CacheChange } from "./informer.ts";
import { ObjectStore } from "./object-store.ts";

interface Thing extends ApiObject {
  tags: string[];
}

function thing(name: string, version: number, uid = "1", tags: string[] = []): Immutable<Thing> {
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: { namespace: "n", name, uid, resourceVersion: String(version) },
    tags,
  };
}

const failures: string[] = [];
const store = (): ObjectStore<Thing> => new ObjectStore((index, key) => failures.push(`${index} ${key}`));
const told = (changes: readonly CacheChange<Thing>[]): string[] =>
  changes.map(
    ({ type, object: { metadata } }) => `${type} ${metadata.name} ${metadata.uid}@${metadata.resourceVersion}`,
  );

test("objects only move forward: an equal version is no change, an older one is ignored", () => {
  const things = store();
  assert.deepEqual(told(things.put(thing("a", 5))), ["added a 1@5"]);
  assert.deepEqual(things.put(thing("a", 5)), []);
  assert.deepEqual(things.put(thing("a", 4)), []);
  assert.deepEqual(told(things.put(thing("a", 10))), ["updated a 1@10"]);
  assert.deepEqual(things.delete(thing("a", 9)), []);
  assert.deepEqual(told(things.delete(thing("a", 11))), ["deleted a 1@11"]);
  assert.deepEqual(things.put(thing("a", 10)), []);
});

test("an object made anew is told as deleted, with its last known state, and then added", () => {
  const things = store();
  things.put(thing("a", 5));
  const changes = things.put(thing("a", 8, "2"));
  assert.deepEqual(told(changes), ["deleted a 1@5", "added a 2@8"]);
  assert.equal(changes[0]?.type === "deleted" && changes[0].unseen, true);
  assert.deepEqual(things.put(thing("a", 7)), [], "what is left of the first one does not come back");
});

test("the end of a successor that was never seen ends what was known", () => {
  const things = store();
  things.put(thing("a", 5));
  assert.deepEqual(told(things.delete(thing("a", 9, "2"))), ["deleted a 1@5"]);
});

test("a list takes away what it does not show, except own writes that it does not reach", () => {
  const things = store();
  things.put(thing("gone", 3));
  things.put(thing("mine", 12, "2"));
  things.put(thing("same", 4, "3"));
  const changes = things.replace([thing("new", 8, "4"), thing("same", 4, "3"), thing("mine", 6, "2")], "10", false);
  assert.deepEqual(told(changes), ["added new 4@8", "deleted gone 1@3"]);
  assert.equal(things.get("n/mine")?.metadata.resourceVersion, "12");
  assert.deepEqual(told(things.replace([], "11", false)), ["deleted same 3@4", "deleted new 4@8"]);
  assert.deepEqual(told(things.replace([], "12", false)), ["deleted mine 2@12"]);
});

test("a uid that this process removed stays hidden, whatever stale events and lists show", () => {
  const things = store();
  things.put(thing("a", 5));
  assert.deepEqual(told(things.removed("n/a", "1")), ["deleted a 1@5"]);
  assert.deepEqual(things.put(thing("a", 6)), []);
  assert.deepEqual(things.replace([thing("a", 6)], "6", false), []);
  assert.deepEqual(things.delete(thing("a", 7)), []);
  assert.deepEqual(things.put(thing("a", 6)), []);
  assert.deepEqual(told(things.put(thing("a", 8, "2"))), ["added a 2@8"]);
  assert.deepEqual(things.removed("n/a", "1"), [], "its successor is left alone");
});

test("when the server's history went back, older versions count and nothing remembered does", () => {
  const things = store();
  things.put(thing("a", 50));
  things.put(thing("b", 60, "2"));
  things.removed("n/b", "2");
  const changes = things.replace([thing("a", 40), thing("b", 30, "2")], "45", true);
  assert.deepEqual(told(changes), ["updated a 1@40", "added b 2@30"]);
});

test("lists are in the order of keys, of all namespaces or of one", () => {
  const things = store();
  for (const name of ["c", "a", "b"]) things.put(thing(name, 5, name));
  const other = thing("x", 9, "x");
  things.put({ ...other, metadata: { ...other.metadata, namespace: "m" } });
  assert.deepEqual(
    things.list().map(({ metadata }) => metadata.name),
    ["x", "a", "b", "c"],
  );
  assert.deepEqual(
    things.list("n").map(({ metadata }) => metadata.name),
    ["a", "b", "c"],
  );
  assert.deepEqual(things.list("none"), []);
});

test("indexes follow every change, also when they are added late", () => {
  const things = store();
  const tags = (object: Immutable<Thing>): readonly string[] => object.tags;
  const found = (tag: string): (string | undefined)[] =>
    things.byIndex("tag", tag).map(({ metadata }) => metadata.name);
  things.put(thing("b", 1, "1", ["x"]));
  things.addIndex("tag", tags);
  things.addIndex("tag", tags);
  things.put(thing("a", 2, "2", ["x", "y"]));
  assert.deepEqual([found("x"), found("y"), found("z")], [["a", "b"], ["a"], []]);
  things.put(thing("a", 3, "2", ["y"]));
  things.delete(thing("b", 4));
  assert.deepEqual([found("x"), found("y")], [[], ["a"]]);
  assert.throws(() => things.byIndex("none", "x"), /no index/);
  assert.throws(() => things.addIndex("tag", () => []), /another index/);
});

test("an index that throws files the object under nothing and is told of", () => {
  const things = store();
  failures.length = 0;
  things.addIndex("tag", (object) => {
    if (object.tags.length === 0) throw new Error("no tags");
    return object.tags;
  });
  things.put(thing("a", 1, "1", ["x"]));
  things.put(thing("a", 2, "1"));
  assert.deepEqual(things.byIndex("tag", "x"), []);
  assert.deepEqual(failures, ["tag n/a"]);
  assert.equal(things.get("n/a")?.metadata.resourceVersion, "2");
});

test("an object deleted and made anew by this process is not remembered for ever, though its end is shown late", () => {
  const things = store();
  things.put(thing("a", 5));
  things.removed("n/a", "1");
  things.put(thing("a", 12, "2"));
  assert.deepEqual(things.delete(thing("a", 11)), [], "the end of the first one does not concern the second");
  things.delete(thing("a", 13, "2"));
  for (let other = 0; other < 5000; other++) things.delete(thing("b", 14, `other-${other}`));
  assert.deepEqual(told(things.put(thing("a", 5))), ["added a 1@5"]);
});
