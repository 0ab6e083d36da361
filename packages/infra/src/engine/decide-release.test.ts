import assert from "node:assert/strict";
import { test } from "node:test";
import { REASONS } from "../reasons.ts";
import { decideRelease } from "./decide-release.ts";
import { testDecisions } from "./testing/decision-cases.ts";
import { absent, INTENDED, MADE, objectOf, present, seeing } from "./testing/observations.ts";

const noWay = { missing: { reason: REASONS.ProviderNotReady, message: "" } };
const withPolicy = (deletionPolicy: string) => ({ object: objectOf({ deletionPolicy }) });
const foreign = present({ own: false, owner: undefined });
const pending = { pending: INTENDED.pending! };

testDecisions(decideRelease, [
  ["deleted: it is removed", {}, "ask remove"],
  ["deleted: by what was read in this run", { resource: present({ fresh: false }) }, "ask read"],
  ["deleted: it is polled until it is gone", { answers: { removed: true } }, "rest Deleting ready=False synced=False"],
  [
    "deleted: while it goes nothing is asked again",
    { resource: present({ state: { is: "going", message: "", pollMs: 1 } }) },
    "rest Deleting ready=False synced=False",
  ],
  ["deleted: gone", { resource: absent(), removed: true }, "gone Deleted"],
  [
    "deleted: that it is gone without having been removed is not believed at once",
    { resource: absent({ believedInMs: 9 }) },
    "rest Deleting ready=False synced=False",
  ],
  [
    "deleted: that it is not there is, of what was intended and not tried",
    { memory: INTENDED, resource: absent({ believedInMs: 9 }), untried: true },
    "gone NeverMade",
  ],
  [
    "deleted: unless there was one before it",
    { memory: { ...INTENDED, replacements: 1 }, resource: absent({ believedInMs: 9 }), untried: true },
    "rest Deleting ready=False synced=False",
  ],
  ["deleted: it is after a while", { resource: absent() }, "gone Deleted"],
  [
    "deleted: what failed is told",
    { answers: { failed: { reason: REASONS.Denied, message: "", afterMs: 1 } } },
    "rest Denied ready=kept synced=False",
  ],
  [
    "deleted: what is in the way is told",
    { answers: { obstacle: { reason: "NotEmpty", message: "" } } },
    "rest NotEmpty ready=kept synced=False",
  ],
  ["deleted: what is not ours is not removed", { resource: foreign }, "gone NotOurs"],
  [
    "deleted: which is not believed at once of what was",
    { resource: { ...foreign, believedInMs: 9 } },
    "rest Deleting ready=False synced=False",
  ],
  ["deleted: what others use stays", { users: ["SQSQueue shop/b"] }, "rest InUse ready=kept synced=False"],
  ["deleted: what nothing was ever intended of holds nothing up", { memory: {}, session: noWay }, "gone NeverMade"],
  ["deleted: without a way in it waits", { session: noWay }, "rest ProviderNotReady ready=kept synced=False"],
  [
    "deleted: without a provider too: there may be one again",
    { session: noWay, providerGone: true },
    "rest ProviderNotReady ready=kept synced=False",
  ],
  [
    "deleted: in another account nothing is removed",
    { memory: { ...MADE, accountID: "2" } },
    "rest AccountChanged ready=kept synced=False",
  ],
  [
    "deleted: a paused object waits",
    { object: objectOf({ management: { mode: "Manage", paused: true } }) },
    "rest Paused ready=kept synced=False",
  ],

  ["deleted: retained: it stays", withPolicy("Retain"), "gone Retained"],
  ["deleted: also without a provider", { ...withPolicy("Retain"), session: noWay }, "gone Retained"],
  ["deleted: also while others use it", { ...withPolicy("Retain"), users: ["b"] }, "gone Retained"],
  ["deleted: observed: it stays", { object: objectOf({ management: { mode: "Observe" } }) }, "gone Retained"],
  [
    "deleted: was observed when it was last looked at: it stays",
    { memory: { resource: { id: "orders", ownership: "Observed" } } },
    "gone Retained",
  ],

  ["deleted: orphaned: its tags go", withPolicy("Orphan"), "ask tag"],
  ["deleted: and it stays", { ...withPolicy("Orphan"), answers: { untagged: true } }, "gone Orphaned"],
  [
    "deleted: that it has no tags of ours then is no reason to doubt",
    { ...withPolicy("Orphan"), answers: { untagged: true }, resource: { ...foreign, believedInMs: 9 } },
    "gone Orphaned",
  ],
  [
    "deleted: a provider that is not ready is waited for",
    { ...withPolicy("Orphan"), session: noWay },
    "rest ProviderNotReady ready=kept synced=False",
  ],
  [
    "deleted: one that is gone is not",
    { ...withPolicy("Orphan"), session: noWay, providerGone: true },
    "gone Orphaned",
  ],

  ["deleted: stopped: it is", withPolicy("Stop"), "ask retire"],
  [
    "deleted: until it is",
    { ...withPolicy("Stop"), answers: { retired: false } },
    "rest Deleting ready=False synced=False",
  ],
  ["deleted: and stays", { ...withPolicy("Stop"), answers: { retired: true } }, "gone Stopped"],

  [
    "deleted: what AWS gave no id is looked for",
    { memory: pending, name: undefined, resource: { is: "unnamed" }, canFind: true },
    "ask search",
  ],
  [
    "deleted: until AWS must know of it",
    { memory: pending, resource: { is: "unnamed" }, canFind: true, answers: { found: [] }, creationUnclearMs: 9 },
    "rest Deleting ready=False synced=False",
  ],
  [
    "deleted: then it was never made",
    { memory: pending, resource: { is: "unnamed" }, canFind: true, answers: { found: [] } },
    "gone NeverMade",
  ],
  [
    "deleted: what is found is remembered, and removed next",
    { memory: pending, resource: { is: "unnamed" }, canFind: true, answers: { found: ["i-1"] } },
    "remember pending=Create uid-1-0, Created i-1 []",
  ],
  [
    "deleted: what was intended and not tried was never made",
    { memory: pending, resource: { is: "unnamed" }, canFind: true, untried: true },
    "gone NeverMade",
  ],
]);

test("what stays in AWS is not told to be deleted", () => {
  const told = ["Delete", "Stop", "Orphan"].map((policy) => {
    const decision = decideRelease(seeing(withPolicy(policy)));
    return decision.kind === "ask" ? decision.meanwhile.message : decision.kind;
  });
  assert.deepEqual(told, [
    "SQSQueue orders is being deleted.",
    "SQSQueue orders is being stopped, and stays in AWS.",
    "SQSQueue orders is being let go, and stays in AWS.",
  ]);
});
