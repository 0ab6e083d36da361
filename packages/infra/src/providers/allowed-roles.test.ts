import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { mayUse } from "./allowed-roles.ts";

const role = (name: string) => ({ role: `arn:aws:iam::123456789012:role/${name}` });

test("without rules everybody uses all, with none nobody anything", () => {
  assert.equal(mayUse(undefined, "shop", role("admin")), true);
  assert.equal(mayUse(undefined, "shop", "own"), true);
  assert.equal(mayUse([], "shop", role("admin")), false);
  assert.equal(mayUse([], "shop", "own"), false);
});

test("a rule lets its namespaces use its roles, and the operator's identity only when it says so", () => {
  const rules = [
    { namespaces: ["team-*"], roles: ["arn:aws:iam::*:role/team-*-infra"] },
    { namespaces: ["platform"], roles: ["*"], ownIdentity: true },
  ];
  assert.equal(mayUse(rules, "team-shop", role("team-shop-infra")), true);
  assert.equal(mayUse(rules, "team-shop", role("team-shop-admin")), false);
  assert.equal(mayUse(rules, "rival", role("team-shop-infra")), false);
  assert.equal(mayUse(rules, "my-team-shop", role("team-shop-infra")), false);
  assert.equal(mayUse(rules, "team-shop", "own"), false);
  assert.equal(mayUse(rules, "platform", "own"), true);
  assert.equal(mayUse(rules, "platform", role("anything")), true);
});

test("patterns match as the regular expression would that has .* for each star", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(word, text, (pattern, name) => {
      const expected = new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name);
      assert.equal(mayUse([{ namespaces: [pattern], ownIdentity: true }], name, "own"), expected);
    }),
  );
});
