import assert from "node:assert/strict";
import { test } from "node:test";
import { conclude } from "./presence.ts";
import type { Presence, Sight } from "./presence.ts";

const after = (...sights: readonly [Sight, number][]): Presence =>
  sights.reduce<Presence>((before, [sight, began]) => conclude(before, sight, began), { is: "seen" });

test("neither sweeps alone nor describes alone make a certificate absent", () => {
  const sweeps = Array.from({ length: 50 }, (_, at): [Sight, number] => ["sweep without it", at]);
  assert.deepEqual(after(...sweeps), { is: "missed", sweeps: 50 });
  const describes = Array.from({ length: 50 }, (_, at): [Sight, number] => ["no such certificate", at]);
  assert.deepEqual(after(...describes), { is: "denied", at: 49 });
});

test("a describe and a sweep that began after it do", () => {
  assert.deepEqual(after(["sweep without it", 1], ["no such certificate", 2], ["sweep without it", 3]), {
    is: "absent",
  });
  assert.deepEqual(after(["no such certificate", 2], ["sweep without it", 1]), { is: "denied", at: 2 });
});

test("whatever was concluded, a look that finds it is believed", () => {
  assert.deepEqual(after(["no such certificate", 2], ["found", 3], ["sweep without it", 4]), {
    is: "missed",
    sweeps: 1,
  });
  assert.deepEqual(after(["no such certificate", 2], ["sweep without it", 3], ["found", 4]), { is: "seen" });
});
