import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Immutable, Json } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Difference } from "../engine/compare.ts";
import { APPROVE, isApproved, planOf } from "./plan.ts";

function object(
  facts: { uid?: string; generation?: number; id?: string; replacements?: number; approve?: string } = {},
) {
  const { uid = "u", generation = 1, id = "db", replacements, approve } = facts;
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "RDSInstance",
    metadata: { name: "db", uid, generation, ...(approve !== undefined && { annotations: { [APPROVE]: approve } }) },
    spec: { providerRef: { name: "aws" }, deletionPolicy: "Snapshot" },
    status: {
      resource: { id, ownership: "Created" },
      conditions: [],
      ...(replacements !== undefined && { replacements }),
    },
  } as Immutable<Managed>;
}

const difference = (path: string, want: Json | undefined, have: Json | undefined, secret = false): Difference => ({
  path,
  change: "replace",
  want,
  have,
  secret,
});

const differences = fc.array(
  fc.record({
    path: fc.stringMatching(/^[a-z]{1,8}$/),
    want: fc.option(fc.jsonValue() as fc.Arbitrary<Json>, { nil: undefined }),
    have: fc.option(fc.jsonValue() as fc.Arbitrary<Json>, { nil: undefined }),
  }),
  { maxLength: 6 },
);

/** The same value with the keys of its objects the other way round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, turned(each)]),
  );
}

test("law: a hash does not depend on order, nor on the generation", () => {
  fc.assert(
    fc.property(differences, (some) => {
      const plain = some.map(({ path, want, have }) => difference(path, want, have));
      const other = [...some]
        .reverse()
        .map(({ path, want, have }) => difference(path, want && turned(want), have && turned(have)));
      const first = planOf("Replace", object(), plain);
      const second = planOf("Replace", object({ generation: 7 }), other);
      assert.equal(first.hash, second.hash);
      assert.match(first.hash, /^[0-9a-f]{32}$/);
    }),
  );
});

test("law: another value is another plan", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const text = (value: unknown): string =>
        JSON.stringify(turned(turned(JSON.parse(JSON.stringify(value)) as Json)));
      fc.pre(text(a) !== text(b) && a !== null && b !== null && typeof a !== "object" && typeof b !== "object");
      const hash = (want: unknown): string => planOf("Replace", object(), [difference("f", want as Json, "x")]).hash;
      assert.notEqual(hash(a), hash(b));
    }),
  );
});

test("a hash is bound to the object, the resource, the action and how often it was made anew", () => {
  const some = [difference("engine", "postgres", "mysql")];
  const hashes = [
    planOf("Replace", object(), some),
    planOf("Recreate", object(), some),
    planOf("Replace", object({ uid: "other" }), some),
    planOf("Replace", object({ id: "db-2" }), some),
    planOf("Replace", object({ replacements: 1 }), some),
    planOf("Replace", object(), [difference("engine", "postgres", "mariadb")]),
    planOf("Replace", object(), [difference("engine", undefined, "mysql")]),
  ].map(({ hash }) => hash);
  assert.equal(new Set(hashes).size, hashes.length);
});

test("values of secrets are not shown, and another version of one is another plan", () => {
  const some = [difference("password", "hunter2", undefined, true), difference("a", { b: [1] }, "x".repeat(2_000))];
  const plan = planOf("Replace", object(), some, { password: "1" });
  assert.deepEqual(plan.changes[1], { field: "password", want: "(secret)" });
  assert.equal(plan.changes[0]?.want, '{"b":[1]}');
  assert.equal(plan.changes[0]?.have?.length, 1_001);
  assert.ok(!JSON.stringify(plan).includes("hunter2"));
  const otherValue = [difference("password", "hunter3", undefined, true), some[1]!];
  assert.equal(planOf("Replace", object(), otherValue, { password: "1" }).hash, plan.hash);
  assert.notEqual(planOf("Replace", object(), some, { password: "2" }).hash, plan.hash);
});

test("only the word for this very plan approves it", () => {
  const plan = planOf("Replace", object(), [difference("engine", "postgres", "mysql")]);
  assert.equal(isApproved(object(), plan), false);
  assert.equal(isApproved(object({ approve: "true" }), plan), false);
  assert.equal(isApproved(object({ approve: plan.hash }), plan), true);
});
