import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@gatewright/runtime";
import type { Claim } from "./claim.ts";
import { createConfirmed, OutdatedClaimError } from "./confirmed.ts";
import { claimOf } from "./testing/observations.ts";

/** A server that has one claim, or none. */
function serverWith(live: Claim | undefined) {
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
  const confirmed = createConfirmed();
  const { asked, context } = serverWith(claimOf());
  await confirmed.confirm(context, claimOf());
  await confirmed.confirm(context, claimOf());
  assert.equal(asked.length, 1);
  const written = { ...claimOf(), metadata: { ...claimOf().metadata, resourceVersion: "2" } };
  confirmed.wrote(written);
  await confirmed.confirm(context, written);
  assert.equal(asked.length, 1);
});

test("nothing is done for a claim that is gone or another by now, nor for what was known in an earlier term", async () => {
  const confirmed = createConfirmed();
  await assert.rejects(confirmed.confirm(serverWith(undefined).context, claimOf()), OutdatedClaimError);
  const newer = { ...claimOf(), metadata: { ...claimOf().metadata, resourceVersion: "2" } };
  confirmed.wrote(claimOf());
  confirmed.clear();
  await assert.rejects(confirmed.confirm(serverWith(newer).context, claimOf()), OutdatedClaimError);
});
