import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates } from "./candidates.ts";
import { flagsIn } from "./complete.ts";

const names = {
  flags: async () => ["--namespace", "--output"],
  namespaces: async () => ["shop", "edge"],
  objects: async (kind: string, namespace: string | undefined) => [`${kind}-of-${namespace ?? "all"}`],
};
const after = (...words: readonly string[]) => candidates(words, ["status", "why", "watch"], names);

test("commands, flags, formats, namespaces, kinds and names are completed where they may stand", async () => {
  assert.deepEqual(await after("w"), ["why", "watch"]);
  assert.deepEqual(await after("why", "--n"), ["--namespace"]);
  assert.deepEqual(await after("status", "-n", "s"), ["shop"]);
  assert.deepEqual(await after("status", "-o", "j"), ["json"]);
  assert.deepEqual(await after("why", "applic"), ["application/"]);
  assert.deepEqual(await after("why", "-n", "shop", "ghr/"), ["ghr/ghr-of-shop"]);
  assert.deepEqual(await after("status", ""), []);
});

test("flags are those that the help tells of", () => {
  const help = "Usage: x --not\n\n  -n, --namespace NAME  or --other\n  --wait                wait\nExit code: --no\n";
  assert.deepEqual(flagsIn(help), ["--namespace", "--wait"]);
});
