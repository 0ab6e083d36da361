import assert from "node:assert/strict";
import { test } from "node:test";
import { compareTags, defaultTagsVersion, fieldTagPaths } from "./compare-tags.ts";
import { objectOf } from "./testing/observations.ts";

test("a tag that a field writes is that field's alone, whatever the provider's default tags say, and when it leaves them", () => {
  const ignore = fieldTagPaths({ fieldTags: ["Name"] });
  const wanted = { Name: "shop", via: "aws" };
  assert.deepEqual(compareTags(wanted, { Name: "web" }, [], ignore), { set: { via: "aws" }, remove: [] });
  assert.equal(compareTags({ via: "aws" }, { Name: "web", via: "aws" }, ["tags.Name"], ignore), undefined);
  assert.deepEqual(compareTags(wanted, { Name: "web", via: "aws" }, [], []), { set: { Name: "shop" }, remove: [] });
});

test("where drift is only reported, a provider's default tags have a version, whatever their order", () => {
  const report = objectOf({ management: { mode: "Manage", drift: { mode: "Report" } } });
  const version = defaultTagsVersion(report, { defaultTags: { a: "1", b: "2" } })["tags"];
  assert.match(version ?? "", /^[0-9a-f]{32}$/);
  assert.equal(defaultTagsVersion(report, { defaultTags: { b: "2", a: "1" } })["tags"], version);
  assert.notEqual(defaultTagsVersion(report, { defaultTags: { a: "1" } })["tags"], version);
  assert.deepEqual(defaultTagsVersion(report, { defaultTags: {} }), {});
  assert.deepEqual(defaultTagsVersion(objectOf(), { defaultTags: { a: "1" } }), {});
});
