import assert from "node:assert/strict";
import { test } from "node:test";
import { compareTags, fieldTagPaths } from "./compare-tags.ts";

test("a tag that a field writes is that field's alone, whatever the provider's default tags say, and when it leaves them", () => {
  const ignore = fieldTagPaths({ fieldTags: ["Name"] });
  const wanted = { Name: "shop", via: "aws" };
  assert.deepEqual(compareTags(wanted, { Name: "web" }, [], ignore), { set: { via: "aws" }, remove: [] });
  assert.equal(compareTags({ via: "aws" }, { Name: "web", via: "aws" }, ["tags.Name"], ignore), undefined);
  assert.deepEqual(compareTags(wanted, { Name: "web", via: "aws" }, [], []), { set: { Name: "shop" }, remove: [] });
});
