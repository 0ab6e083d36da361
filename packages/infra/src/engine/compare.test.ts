import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@gatewright/kube";
import type { AnyKind } from "./aws-kind.ts";
import { compare, ignoredIn, wishOf } from "./compare.ts";
import { compareTags, declaredTags } from "./compare-tags.ts";
import { objectOf } from "./testing/observations.ts";

const NOTHING_GIVEN = { value: () => undefined, version: () => "v2" };

const fields = (want: Record<string, Json | undefined>): Pick<AnyKind, "fields"> => ({
  fields: [
    { path: "size", change: "in-place", want: () => want["size"], have: (seen) => at(seen, "size"), unset: 30 },
    { path: "rule", change: "in-place", want: () => want["rule"], have: (seen) => at(seen, "rule"), unset: null },
    { path: "kept", change: "in-place", want: () => want["kept"], have: (seen) => at(seen, "kept") },
    { path: "engine", change: "replace", want: () => want["engine"], have: (seen) => at(seen, "engine") },
    { path: "image", change: "at-creation", want: () => want["image"], have: (seen) => at(seen, "image") },
    {
      path: "disk",
      change: "in-place",
      want: () => want["disk"],
      have: (seen) => at(seen, "disk"),
      same: (least, have) => Number(have) >= Number(least),
    },
    {
      path: "password",
      change: "in-place",
      want: () => want["password"],
      version: (_, given) => given.version("password"),
      secret: true,
    },
  ],
});

const at = (seen: unknown, key: string): Json | undefined => (seen as Record<string, Json | undefined>)[key];

/** Paths that differ, with what they would be. */
function differing(
  want: Record<string, Json | undefined>,
  seen: Record<string, Json>,
  {
    declared = [],
    ignore = [],
    settling = new Map(),
    versions = {},
  }: Partial<{
    declared: string[];
    ignore: string[];
    settling: Map<string, Json | undefined>;
    versions: Record<string, string>;
  }> = {},
) {
  const resource = { id: "x", ownership: "Created" as const, fields: declared, versions };
  const object = objectOf({}, { status: { resource } });
  const { differences } = compare(fields(want), object, NOTHING_GIVEN, seen, ignore, settling);
  return differences.map(({ path, want: to }) => [path, to]);
}

test("only what is declared is compared", () => {
  assert.deepEqual(differing({}, { size: 7, engine: "a" }), []);
  assert.deepEqual(differing({ size: 8 }, { size: 7, engine: "a" }), [["size", 8]]);
});

test("a field that leaves the spec is reset, or taken away, or stays", () => {
  const declared = ["size", "rule", "kept", "engine"];
  assert.deepEqual(differing({}, { size: 7, rule: {}, kept: 1, engine: "a" }, { declared }), [
    ["size", 30],
    ["rule", undefined],
  ]);
  assert.deepEqual(differing({}, { size: 30 }, { declared }), []);
});

test("what is said at creation, or ignored, is not compared", () => {
  assert.deepEqual(differing({ image: "b", size: 8 }, { image: "a", size: 7 }, { ignore: ["size"] }), []);
});

test("a field says itself what is the same", () => {
  assert.deepEqual(differing({ disk: 20 }, { disk: 25 }), []);
  assert.deepEqual(differing({ disk: 20 }, { disk: 10 }), [["disk", 20]]);
});

test("what AWS never tells is written when its version is another", () => {
  assert.deepEqual(differing({ password: "x" }, {}, { versions: { password: "v2" } }), []);
  assert.deepEqual(differing({ password: "x" }, {}, { versions: { password: "v1" } }), [["password", "x"]]);
});

test("what was just written counts more than what is read", () => {
  assert.deepEqual(differing({ size: 8 }, { size: 7 }, { settling: new Map([["size", 8]]) }), []);
  assert.deepEqual(differing({ size: 7 }, { size: 7 }, { settling: new Map([["size", 8]]) }), [["size", 7]]);
});

test("tags of others are left alone; those that leave the spec go; the owner's are never ignored", () => {
  const wanted = { team: "a", "gatewright.dev/uid": "u" };
  const have = { team: "b", other: "x", old: "y" };
  assert.deepEqual(compareTags(wanted, have, ["tags.old", "tags.team"], []), { set: wanted, remove: ["old"] });
  assert.deepEqual(compareTags(wanted, have, ["tags.old"], ["tags"]), {
    set: { "gatewright.dev/uid": "u" },
    remove: [],
  });
  assert.equal(compareTags(wanted, { ...wanted, other: "x" }, [], []), undefined);
  assert.deepEqual(declaredTags(wanted), ["tags.team"]);
});

test("a tag of the name __proto__ is a tag", () => {
  const wanted = Object.fromEntries([["__proto__", "x"]]);
  const change = compareTags(wanted, {}, [], []);
  assert.deepEqual(Object.entries(change?.set ?? {}), [["__proto__", "x"]]);
});

test("a secret that a Secret holds has the version of that Secret, also where AWS tells it; what the spec holds has none", () => {
  const secret = { change: "in-place", have: () => "x", secret: true } as const;
  const kind: Pick<AnyKind, "fields"> = {
    fields: [
      { path: "held", want: (_, given) => given.value("ref"), ...secret },
      { path: "plain", want: () => "text", ...secret },
      { path: "shown", change: "in-place", want: (_, given) => given.value("ref"), have: () => "x" },
    ],
  };
  const versions = (version: string) =>
    wishOf(kind, objectOf(), { value: () => "hunter2", version: () => version }).versions;
  assert.deepEqual(Object.keys(versions("1")), ["held"]);
  assert.deepEqual(versions("1"), versions("1"));
  assert.notDeepEqual(versions("1"), versions("2"));
});

test("until what was made is as the spec says, only what cannot be written is left to others", () => {
  const ignoreFields = ["size", "engine", "image", "tags", "tags.team"];
  const of = (status: NonNullable<Parameters<typeof objectOf>[1]>["status"]): readonly string[] =>
    ignoredIn(
      fields({}),
      objectOf(
        { management: { mode: "Manage", drift: { mode: "Repair", ignoreFields } } },
        { ...(status && { status }) },
      ),
    );
  assert.deepEqual(of({ resource: { id: "x", ownership: "Created" } }), ["engine", "image"]);
  assert.deepEqual(
    of({ resource: { id: "x", ownership: "Created" }, lastSyncTime: "2030-01-01T00:00:00Z" }),
    ignoreFields,
  );
  assert.deepEqual(of({ resource: { id: "x", ownership: "Adopted" } }), ignoreFields);
  assert.deepEqual(of(undefined), ignoreFields);
});

test("where drift is only reported, what a reference leads to has a version, and what the spec says itself has none", () => {
  const kind: Pick<AnyKind, "fields"> = {
    fields: [
      { path: "target", change: "in-place", want: (_, given) => given.value("targetRef"), have: () => undefined },
      { path: "size", change: "in-place", want: () => 1, have: () => undefined },
      { path: "key", change: "in-place", want: (_, given) => given.value("keyRef"), secret: true },
    ],
  };
  const leadingTo = (arn: string) => ({ value: () => arn, version: () => undefined });
  const report = objectOf({ management: { mode: "Manage", drift: { mode: "Report" } } });
  const { versions } = wishOf(kind, report, leadingTo("arn:1"));
  assert.deepEqual(Object.keys(versions), ["target"]);
  assert.deepEqual(wishOf(kind, report, leadingTo("arn:1")).versions, versions);
  assert.notDeepEqual(wishOf(kind, report, leadingTo("arn:2")).versions, versions);
  assert.deepEqual(wishOf(kind, objectOf(), leadingTo("arn:1")).versions, {});
});
