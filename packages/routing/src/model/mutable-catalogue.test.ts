import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contentVersion } from "./content-version.ts";
import { deliverableKey } from "./deliverable.ts";
import type { Deliverable, SourceRef } from "./deliverable.ts";
import { MutableCatalogue } from "./mutable-catalogue.ts";
import { deliverable } from "./testing/deliverables.ts";

const source = (name: string): SourceRef => ({ kind: "APIRoute", namespace: "shop", name });
const put = (catalogue: MutableCatalogue, made: Deliverable): void => catalogue.put(made.source, [made]);

test("what has not changed gets no new revision, and nobody is told", () => {
  const catalogue = new MutableCatalogue();
  let told = 0;
  catalogue.subscribe(() => told++);
  put(catalogue, deliverable("a", { spec: { x: 1, y: 2 } }));
  put(catalogue, deliverable("a", { spec: { y: 2, x: 1 } }));
  assert.deepEqual([catalogue.revision, told], [1, 1]);
  put(catalogue, deliverable("a", { spec: { y: 2, x: 1 }, labels: { team: "one" } }));
  assert.deepEqual([catalogue.revision, told], [2, 2]);
});

test("what comes from two sources stays while one of them gives it", () => {
  const catalogue = new MutableCatalogue();
  const shared = deliverable("web:80", { kind: "Backend", source: source("a") });
  catalogue.put(source("a"), [shared]);
  catalogue.put(source("b"), [shared]);
  catalogue.remove(source("a"));
  assert.deepEqual([...catalogue.all()], [shared]);
  catalogue.remove(source("b"));
  assert.deepEqual([...catalogue.all()], []);
});

test("what is kept is no part of all; when something is known of it again, or it goes, whoever may have it is told", () => {
  const catalogue = new MutableCatalogue();
  const told = (): string[] =>
    (catalogue.since(seen) ?? []).map(({ key, deliverable: now }) => `${now === undefined ? "-" : "+"} ${key}`);
  put(catalogue, deliverable("a"));
  const seen = catalogue.revision;
  catalogue.keep(source("a"));
  catalogue.keep(source("b"));
  catalogue.keep(source("c"));
  const keeps = (...keys: readonly string[]): boolean[] => keys.map((key) => catalogue.keeps(key));
  assert.deepEqual(keeps("APIRoute shop/a", "APIRoute shop/b", "APIRoute bank/b", "Backend shop/b"), [
    false,
    true,
    false,
    false,
  ]);
  assert.deepEqual([told(), [...catalogue.all()].length], [[], 1]);
  put(catalogue, deliverable("b"));
  assert.deepEqual(told(), ["+ APIRoute shop/b"]);
  catalogue.remove(source("c"));
  catalogue.remove(source("never"));
  assert.deepEqual(told(), ["+ APIRoute shop/b", "- APIRoute shop/c"]);
  assert.deepEqual(keeps("APIRoute shop/b", "APIRoute shop/c"), [false, false]);
});

test("backends of Services are kept while a route of their namespace is, and go with the last of them", () => {
  const catalogue = new MutableCatalogue();
  const backend = deliverable("web:80", { kind: "Backend", source: source("x") });
  catalogue.keep({ kind: "Backend", namespace: "shop", name: "own" });
  assert.equal(catalogue.keeps("Backend shop/web:80"), false);
  catalogue.keep(source("a"));
  catalogue.keep(source("b"));
  assert.deepEqual(
    ["Backend shop/web:80", "Backend shop/api:80", "Backend bank/web:80", "Backend shop/web"].map((key) =>
      catalogue.keeps(key),
    ),
    [true, true, false, false],
  );
  catalogue.remove(source("a"));
  assert.equal(catalogue.keeps("Backend shop/web:80"), true);
  const seen = catalogue.revision;
  catalogue.put(source("b"), [deliverable("b"), backend]);
  assert.deepEqual(
    catalogue.since(seen)?.map(({ key, deliverable: now }) => `${now === undefined ? "-" : "+"} ${key}`),
    ["+ APIRoute shop/b", "+ Backend shop/web:80", "- Backend shop/api:80"],
  );
});

test("versions follow content whatever the order of keys, and labels are no part of it", () => {
  const made = deliverable("a", { spec: { a: { b: [1, { c: null, d: "x" }] }, e: true } });
  const again = deliverable("a", { spec: { e: true, a: { b: [1, { d: "x", c: null }] } }, labels: { a: "b" } });
  assert.equal(made.version, again.version);
  assert.notEqual(made.version, contentVersion({ ...made, createdAt: "2031-01-01T00:00:00Z" }));
  assert.notEqual(made.version, contentVersion({ ...made, name: "b" }));
});

test("a revision that is long ago is too old to know, unless somebody needs it", () => {
  const catalogue = new MutableCatalogue({ mostOldChanges: 100 });
  const forget = catalogue.keepSince(() => 1);
  for (let n = 1; n <= 90; n++) put(catalogue, deliverable("a", { spec: { n } }));
  assert.equal(catalogue.since(1)?.length, 1);
  forget();
  for (let n = 100; n <= 3000; n++) put(catalogue, deliverable("a", { spec: { n } }));
  assert.equal(catalogue.since(1), undefined);
  assert.equal(catalogue.since(0)?.length, 1);
  assert.equal(catalogue.since(catalogue.revision - 1)?.length, 1);
});

const edits = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    to: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    read: fc.boolean(),
  }),
  { maxLength: 60 },
);

test("who applies what changed since a revision has what there is, and what it replaced is what it had", () => {
  fc.assert(
    fc.property(edits, fc.nat({ max: 5 }), (list, mostOldChanges) => {
      const catalogue = new MutableCatalogue({ mostOldChanges });
      const follower = new Map<string, Deliverable>();
      let seen = 0;
      catalogue.keepSince(() => seen);
      for (const { name, to, read } of list) {
        if (to === undefined) catalogue.remove(source(name));
        else put(catalogue, deliverable(name, { spec: { to } }));
        if (!read) continue;
        for (const { key, deliverable: now, previous } of catalogue.since(seen) ?? []) {
          assert.equal(follower.get(key)?.version, previous?.version);
          if (now === undefined) follower.delete(key);
          else follower.set(key, now);
        }
        seen = catalogue.revision;
        assert.deepEqual(
          [...follower.values()].map(deliverableKey).toSorted(),
          [...catalogue.all()].map(deliverableKey).toSorted(),
        );
      }
    }),
  );
});
