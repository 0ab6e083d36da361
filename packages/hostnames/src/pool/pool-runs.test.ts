import assert from "node:assert/strict";
import { test } from "node:test";
import { PoolRuns } from "./pool-runs.ts";

test("runs that have begun are waited for, however they end, and later ones are not", async () => {
  const runs = new PoolRuns();
  const [first, second, later] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const told: string[] = [];
  const begun = [runs.during(() => first!.promise), runs.during(() => second!.promise)];
  const waiting = runs.ended().then(() => told.push("ended"));
  const late = runs.during(() => later!.promise);
  first!.resolve();
  await begun[0];
  assert.deepEqual(told, []);
  second!.reject(new Error("no"));
  await assert.rejects(begun[1]!, /no/);
  await waiting;
  assert.deepEqual(told, ["ended"]);
  later!.resolve();
  await late;
  await runs.ended();
});
