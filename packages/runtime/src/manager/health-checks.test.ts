import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import type { Cache, InformerHealth } from "../cache/informer.ts";
import { informerChecks } from "./health-checks.ts";

const said = (health: Partial<InformerHealth>): string | undefined => {
  const well = { resource: core.Pod, synced: true, silentMs: 0, objects: 0, resourceVersion: "1", problem: undefined };
  const informer: InformerHealth = { ...well, ...health };
  const cache: Pick<Cache, "health"> = { health: () => [informer] };
  return informerChecks(cache)[0]?.problem();
};

test("a watch may be silent for five minutes, but only half a minute when it is known to be down", () => {
  assert.equal(said({ silentMs: 299_000 }), undefined);
  assert.equal(said({ silentMs: 301_000 }), "nothing heard from the API server for 301 s");
  assert.equal(said({ silentMs: 29_000, problem: "connection refused" }), undefined);
  assert.equal(
    said({ silentMs: 31_000, problem: "connection refused" }),
    "nothing heard from the API server for 31 s: connection refused",
  );
});

test("a cache that is not whole is not ready, and says what holds it up", () => {
  assert.equal(said({ synced: false }), "not listed yet");
  assert.equal(said({ synced: false, problem: "forbidden" }), "not listed yet: forbidden");
});
