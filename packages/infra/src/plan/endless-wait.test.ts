import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { circleOf } from "./endless-wait.ts";

const KEYS = ["a", "b", "c", "d", "e"];

test("who waits for itself, or for others that wait for it, is in a circle; who only waits for such is not", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["d"]],
    ["c", ["a"]],
    ["d", ["a"]],
    ["e", ["a"]],
    ["f", ["f"]],
  ]);
  const circle = (key: string) => circleOf(key, (one) => graph.get(one) ?? [])?.join("");
  assert.deepEqual(["a", "b", "e", "f", "g"].map(circle), ["ac", "bda", undefined, "f", undefined]);
});

test("law: a circle is a way of steps that are there and ends where it began, and without one things can be put in order", () => {
  const graphs = fc.tuple(...KEYS.map(() => fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 })));
  fc.assert(
    fc.property(graphs, (graph) => {
      const awaited = (key: string): readonly string[] => graph[KEYS.indexOf(key)] ?? [];
      const circles = KEYS.map((key) => circleOf(key, awaited));
      for (const circle of circles.filter((each) => each !== undefined)) {
        circle.forEach((key, at) => assert.ok(awaited(key).includes(circle[(at + 1) % circle.length] ?? "")));
        assert.equal(new Set(circle).size, circle.length);
      }
      const made = new Set<string>();
      for (const _ of KEYS) for (const key of KEYS) if (awaited(key).every((need) => made.has(need))) made.add(key);
      assert.equal(
        made.size === KEYS.length,
        circles.every((circle) => circle === undefined),
      );
    }),
  );
});
