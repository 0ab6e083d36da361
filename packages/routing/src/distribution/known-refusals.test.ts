import assert from "node:assert/strict";
import { test } from "node:test";
import { deliverableKey } from "../model/deliverable.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { KnownRefusals } from "./known-refusals.ts";

test("what is known to be refused follows the catalogue, and what is known of it; what has not changed is not looked at", () => {
  const catalogue = new MutableCatalogue();
  let [looks, isRefused] = [0, true];
  const refusals = new KnownRefusals(catalogue, (one) => {
    looks++;
    if (!one.name.startsWith("bad")) return [];
    return [{ key: deliverableKey(one), version: one.version, refused: isRefused, field: "spec", message: "is bad" }];
  });
  const names = (): string[] => Array.from(refusals.all(), ({ name }) => name);
  const [good, bad, worse] = [deliverable("good"), deliverable("bad"), deliverable("bad-too")];
  for (const one of [good, bad, worse]) catalogue.put({ ...one.source, name: one.name }, [one]);
  assert.deepEqual([names(), looks], [["bad", "bad-too"], 3]);
  assert.deepEqual([names(), looks], [["bad", "bad-too"], 3]);
  catalogue.remove({ ...worse.source, name: worse.name });
  assert.deepEqual([names(), looks], [["bad"], 3]);
  isRefused = false;
  refusals.touch(new Set([deliverableKey(bad)]));
  assert.deepEqual([names(), looks], [[], 4]);
});
