import assert from "node:assert/strict";
import { test } from "node:test";
import { sameLifecyclePolicy } from "./same-lifecycle-policy.ts";

const rule = (rulePriority: number, ...tagPrefixList: readonly string[]) => ({
  rulePriority,
  selection: { tagStatus: "tagged", tagPrefixList, countType: "imageCountMoreThan", countNumber: 5 },
  action: { type: "expire" },
});
const policy = (...rules: readonly unknown[]): string => JSON.stringify({ rules });

test("rules are the same in any order, and so are the tags in them", () => {
  assert.ok(sameLifecyclePolicy(policy(rule(2, "b", "a"), rule(1, "c")), policy(rule(1, "c"), rule(2, "a", "b"))));
});

test("other priorities, other tags and fewer rules are another policy", () => {
  const want = policy(rule(1, "a"), rule(2, "b"));
  for (const have of [
    policy(rule(2, "a"), rule(1, "b")),
    policy(rule(1, "a"), rule(2, "c")),
    policy(rule(1, "a")),
    "{}",
    "not JSON",
  ]) {
    assert.equal(sameLifecyclePolicy(want, have), false, have);
  }
  assert.ok(sameLifecyclePolicy("not JSON", "not JSON"));
});
