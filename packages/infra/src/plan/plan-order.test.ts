import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inOrderOfNeed } from "./plan-order.ts";

const KEYS = ["a", "b", "c", "d", "e", "f", "g"];
const keys = (things: readonly { readonly key: string }[]): string => things.map(({ key }) => key).join("");

test("what is needed comes first, the rest stays as it was", () => {
  const things = [
    { key: "a", needs: ["c", "elsewhere"] },
    { key: "b", needs: [] },
    { key: "c", needs: [] },
  ];
  assert.equal(keys(inOrderOfNeed(things)), "cab");
});

test("law: nothing is lost or doubled; without circles each comes after all that it needs", () => {
  const graphs = fc.tuple(...KEYS.map(() => fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 })));
  fc.assert(
    fc.property(
      graphs,
      fc.shuffledSubarray(KEYS, { minLength: KEYS.length }),
      fc.boolean(),
      (graph, order, acyclic) => {
        const things = order.map((key) => {
          const needs = graph[KEYS.indexOf(key)] ?? [];
          return { key, needs: acyclic ? needs.filter((need) => need < key) : needs };
        });
        const ordered = inOrderOfNeed(things);
        assert.deepEqual([...keys(ordered)].sort(), [...KEYS].sort());
        assert.equal(keys(inOrderOfNeed(things)), keys(ordered));
        if (!acyclic) return;
        const done = new Set<string>();
        for (const { key, needs } of ordered) {
          for (const need of needs) assert.ok(done.has(need), `${key} came before ${need}`);
          done.add(key);
        }
      },
    ),
  );
});
