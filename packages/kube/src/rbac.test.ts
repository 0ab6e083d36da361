import assert from "node:assert/strict";
import { test } from "node:test";
import { compactRules, formatRule, nonResourceURLMatches, ruleAllows, rulesCover, uncoveredRules } from "./rbac.ts";
import type { PolicyRule } from "./rbac.ts";

const rule = (verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs,
  resources,
  apiGroups: [""],
  ...more,
});
const ask = (verb: string, resource: string, subresource = "", name = "x") => ({
  verb,
  group: "",
  resource,
  subresource,
  name,
});

test("a rule allows what it names, and subresources only where it names them", () => {
  assert.ok(ruleAllows(rule(["get"], ["pods"]), ask("get", "pods")));
  assert.ok(!ruleAllows(rule(["get"], ["pods"]), ask("get", "pods", "log")));
  assert.ok(ruleAllows(rule(["get"], ["pods/log"]), ask("get", "pods", "log")));
  assert.ok(ruleAllows(rule(["*"], ["*/log"]), ask("get", "pods", "log")));
  assert.ok(ruleAllows(rule(["get"], ["*"]), ask("get", "pods", "log")));
  assert.ok(!ruleAllows(rule(["get"], ["pods"], { apiGroups: ["apps"] }), ask("get", "pods")));
});

test("names narrow a rule, and a request without name meets none", () => {
  const named = rule(["get", "list"], ["pods"], { resourceNames: ["x"] });
  assert.ok(ruleAllows(named, ask("get", "pods")));
  assert.ok(!ruleAllows(named, ask("get", "pods", "", "y")));
  assert.ok(!ruleAllows(named, ask("list", "pods", "", "")));
});

test("paths match as a whole, by prefix or all", () => {
  assert.ok(nonResourceURLMatches("*", "/healthz"));
  assert.ok(nonResourceURLMatches("/apis/*", "/apis/x/y"));
  assert.ok(!nonResourceURLMatches("/apis", "/apis/x"));
  assert.ok(ruleAllows({ verbs: ["get"], nonResourceURLs: ["/healthz"] }, { verb: "get", path: "/healthz" }));
});

test("rules are covered verb by verb, and what is missing is told", () => {
  const owned = [rule(["get", "list"], ["pods"]), rule(["*"], ["services"])];
  assert.ok(rulesCover(owned, [rule(["get"], ["pods"], { resourceNames: ["a"] }), rule(["delete"], ["services"])]));
  const missing = uncoveredRules(owned, [rule(["get", "watch", "delete"], ["pods"])]);
  assert.deepEqual(compactRules(missing).map(formatRule), [
    '{APIGroups:[""], Resources:["pods"], Verbs:["watch" "delete"]}',
  ]);
});

test("one who may use one name may not hand out all", () => {
  assert.ok(!rulesCover([rule(["get"], ["pods"], { resourceNames: ["a"] })], [rule(["get"], ["pods"])]));
});

test("only a holder of paths may hand out paths", () => {
  assert.ok(!rulesCover([rule(["*"], ["*"])], [{ verbs: ["get"], nonResourceURLs: ["/x"] }]));
  assert.ok(rulesCover([{ verbs: ["*"], nonResourceURLs: ["*"] }], [{ verbs: ["get"], nonResourceURLs: ["/x"] }]));
});
