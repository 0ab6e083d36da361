import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Client } from "../client/client.ts";
import { createConfirmed, OutdatedObjectError } from "./confirmed.ts";

const seen = (resourceVersion: string): Immutable<core.ConfigMap> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "shop", name: "web", uid: "1", resourceVersion },
});

/** A server that has one object, or none. */
function serverWith(live: Immutable<core.ConfigMap> | undefined) {
  const asked: string[] = [];
  const client = {
    for: () => ({
      async find({ name }: { readonly name: string }) {
        asked.push(name);
        return live;
      },
    }),
  } as unknown as Client; // only finds are made
  return { asked, context: { client, signal: new AbortController().signal } };
}

test("what the server has is asked once, what this process wrote not at all", async () => {
  const confirmed = createConfirmed(core.ConfigMap);
  const { asked, context } = serverWith(seen("1"));
  await confirmed.confirm(context, seen("1"));
  await confirmed.confirm(context, seen("1"));
  assert.equal(asked.length, 1);
  confirmed.wrote(seen("2"));
  await confirmed.confirm(context, seen("2"));
  assert.equal(asked.length, 1);
});

test("nothing is done for an object that is gone or another by now, nor for what was known in an earlier term", async () => {
  const confirmed = createConfirmed(core.ConfigMap);
  await assert.rejects(confirmed.confirm(serverWith(undefined).context, seen("1")), OutdatedObjectError);
  confirmed.wrote(seen("1"));
  confirmed.clear();
  await assert.rejects(confirmed.confirm(serverWith(seen("2")).context, seen("1")), OutdatedObjectError);
});
