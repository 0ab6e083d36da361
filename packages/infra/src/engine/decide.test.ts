import assert from "node:assert/strict";
import { test } from "node:test";
import { REASONS } from "../reasons.ts";
import { decide } from "./decide.ts";
import type { Memory } from "./memory.ts";
import type { Observation } from "./observation.ts";
import { testDecisions } from "./testing/decision-cases.ts";
import { absent, INTENDED, MADE, objectOf, present, seeing, SESSION } from "./testing/observations.ts";

const nothing: Memory = {};
/** Decided, and AWS has given no id yet. */
const IDLESS: Memory = { ...INTENDED, resource: { id: "", ownership: "Created", fields: ["size"] } };
const adopting: Memory = {
  ...MADE,
  resource: { id: "orders", ownership: "Adopted", fields: [] },
  pending: { operation: "Adopt", token: "uid-1-0", since: "" },
};
const consent = { management: { mode: "Manage", adopt: { byName: true } } } as const;
const byTags = { management: { mode: "Manage", adopt: { byTags: { env: "prod" } } } } as const;
const report = { management: { mode: "Manage", drift: { mode: "Report" } } } as const;
const observe = { management: { mode: "Observe" } } as const;
const foreign = present({ own: false, owner: undefined, tags: { set: { a: "b" }, remove: [] } });
const others = present({ own: false, owner: "bank/orders of cluster c", tags: { set: { a: "b" }, remove: [] } });
const id = (memory: Memory): Partial<Observation> => ({
  memory,
  name: undefined,
  resource: { is: "unnamed" },
  canFind: true,
});
const error = { reason: REASONS.Denied, message: "no", afterMs: 1 };

testDecisions(decide, [
  [
    "what is as it should be rests, once outputs are written",
    { answers: { outputs: "written" } },
    "rest InSync ready=True synced=True",
  ],
  ["outputs are written first", {}, "ask writeOutputs"],
  [
    "outputs that cannot be written are told",
    { answers: { outputs: { reason: REASONS.OutputsTaken, message: "" } } },
    "rest OutputsTaken ready=kept synced=False",
  ],

  [
    "a paused object rests, whatever there is",
    { object: objectOf({ management: { mode: "Manage", paused: true } }), resource: absent() },
    "rest Paused ready=kept synced=False",
  ],
  [
    "so does one that an annotation pauses",
    { object: objectOf({}, { annotations: { "aws-infra-operator.runner.codes/paused": "true" } }) },
    "rest Paused ready=kept synced=False",
  ],
  [
    "what failed in this run is told, and nothing else tried",
    { answers: { failed: error }, resource: absent() },
    "rest Denied ready=kept synced=False",
  ],
  [
    "a process that has just begun says nothing of providers",
    { session: { missing: { reason: REASONS.ProviderNotReady, message: "" } }, providerUnchecked: true },
    "wait",
  ],
  [
    "without a session nothing is done",
    {
      session: { missing: { reason: REASONS.ProviderNotReady, message: "" } },
      resource: { is: "unknown", id: "orders" },
    },
    "rest ProviderNotReady ready=kept synced=False",
  ],
  [
    "nothing is made in another account",
    { memory: { ...MADE, accountID: "2" }, resource: absent() },
    "rest AccountChanged ready=kept synced=False",
  ],
  [
    "nor in another region",
    { memory: { ...INTENDED, region: "us-east-1" }, resource: absent() },
    "rest AccountChanged ready=kept synced=False",
  ],
  [
    "what nothing was made of may go to another account",
    { memory: { accountID: "2" }, resource: absent() },
    "remember pending=Create uid-1-0, Created orders [size]",
  ],
  [
    "a reference that leads nowhere is waited for",
    { given: { missing: { path: "role", message: "" } }, resource: absent(), memory: nothing },
    "rest WaitingForReference ready=kept synced=False",
  ],
  [
    "of two objects with one name the younger one waits",
    { rival: "shop/older", resource: absent(), memory: nothing },
    "rest NameTaken ready=False synced=False",
  ],

  ["what is not known is read", { resource: { is: "unknown", id: "orders" } }, "ask read"],
  [
    "before anything is made that is written down",
    { memory: nothing, resource: absent() },
    "remember pending=Create uid-1-0, Created orders [size]",
  ],
  ["what is intended and absent is made", { memory: INTENDED, resource: absent() }, "ask create"],
  ["not by what was read long ago", { memory: INTENDED, resource: absent({ fresh: false }) }, "ask read"],
  [
    "not while a creation may come through",
    { memory: INTENDED, resource: absent(), creationUnclearMs: 9 },
    "rest Creating ready=False synced=False",
  ],
  [
    "fields that came to the spec since the intent are remembered before it is made",
    { memory: INTENDED, declared: ["size", "color"], resource: absent() },
    "remember pending=Create uid-1-0, Created orders [size color]",
  ],
  ["where AWS gives ids the first try is made at once", { ...id(IDLESS), untried: true }, "ask create"],
  ["after that what came of it is looked for", id(IDLESS), "ask search"],
  [
    "none found: not before AWS must know of it",
    { ...id(IDLESS), answers: { found: [] }, creationUnclearMs: 9 },
    "rest Creating ready=False synced=False",
  ],
  ["none found after that: made", { ...id(IDLESS), answers: { found: [] } }, "ask create"],
  [
    "one found: it is that",
    { ...id(IDLESS), answers: { found: ["i-1"] } },
    "remember pending=Create uid-1-0, Created i-1 [size]",
  ],
  [
    "two found: a person has to look",
    { ...id(IDLESS), answers: { found: ["i-1", "i-2"] } },
    "rest Ambiguous ready=False synced=False",
  ],
  [
    "the id of what was made is remembered",
    { ...id(IDLESS), answers: { created: "i-1" } },
    "remember pending=Create uid-1-0, Created i-1 [size]",
  ],
  ["what was made and is found is done", { memory: INTENDED }, "remember Created orders [size]"],

  [
    "that something is gone is not believed at once",
    { resource: absent({ believedInMs: 9 }) },
    "rest Looking ready=kept synced=Unknown",
  ],
  [
    "what is gone and held no data is made anew, with another token",
    { resource: absent() },
    "remember pending=Create uid-1-1, Created orders [size], replacements=1",
  ],
  [
    "what held data is not: there is a plan",
    { resource: absent(), holdsData: true },
    "remember Created orders [size], plan=Recreate",
  ],
  [
    "which waits for a person",
    {
      resource: absent(),
      holdsData: true,
      memory: { ...MADE, plan: { hash: "plan", action: "Recreate", changes: [] } },
    },
    "rest Missing ready=False synced=False",
  ],
  [
    "and is done when it is approved",
    { resource: absent({ recreation: { hash: "plan", changes: [], approved: true } }), holdsData: true },
    "remember pending=Create uid-1-1, Created orders [size], replacements=1",
  ],
  [
    "nor is anything where drift is only reported",
    { resource: absent(), object: objectOf(report) },
    "remember Created orders [size], plan=Recreate",
  ],

  ["what is not ours is left alone", { memory: nothing, resource: foreign }, "rest Conflict ready=False synced=False"],
  [
    "with consent that it is taken over is written down",
    { memory: nothing, resource: foreign, object: objectOf(consent) },
    "remember pending=Adopt uid-1-0, Adopted orders []",
  ],
  ["and then tagged", { memory: adopting, resource: foreign, object: objectOf(consent) }, "ask tag"],
  [
    "not by what was read long ago either",
    { memory: adopting, resource: { ...foreign, fresh: false }, object: objectOf(consent) },
    "ask read",
  ],
  [
    "consent that is taken back holds no more",
    { memory: adopting, resource: foreign },
    "rest Conflict ready=False synced=False",
  ],
  [
    "with consent also from another object",
    { memory: nothing, resource: others, object: objectOf(consent) },
    "remember pending=Adopt uid-1-0, Adopted orders []",
  ],
  [
    "but not from one that is there",
    { memory: nothing, resource: { ...others, ownerLives: true }, object: objectOf(consent) },
    "rest Conflict ready=False synced=False",
  ],
  [
    "whatever was decided before",
    { memory: adopting, resource: { ...others, ownerLives: true }, object: objectOf(consent) },
    "rest Conflict ready=False synced=False",
  ],
  [
    "but what another object took over is not taken back",
    { resource: others, object: objectOf(consent) },
    "rest Conflict ready=False synced=False",
  ],
  [
    "what lost its tags is ours again with consent",
    { resource: foreign, object: objectOf(consent) },
    "remember pending=Adopt uid-1-0, Adopted orders []",
  ],
  [
    "that tags are gone is not believed at once",
    { resource: { ...foreign, believedInMs: 9 } },
    "rest Looking ready=kept synced=Unknown",
  ],
  ["what is tagged is taken over", { memory: adopting }, "remember Adopted orders []"],
  [
    "what is meant by tags is searched",
    { memory: nothing, object: objectOf(byTags), resource: absent() },
    "ask search",
  ],
  [
    "none: it is waited for",
    { memory: nothing, object: objectOf(byTags), answers: { found: [] } },
    "rest NotFound ready=False synced=False",
  ],
  [
    "several: a person has to choose",
    { memory: nothing, object: objectOf(byTags), answers: { found: ["a", "b"] } },
    "rest Ambiguous ready=False synced=False",
  ],
  [
    "one: it is that",
    { memory: nothing, object: objectOf(byTags), answers: { found: ["a"] } },
    "remember pending=Adopt uid-1-0, Adopted a []",
  ],

  [
    "what is observed and absent is not made",
    { memory: nothing, object: objectOf(observe), resource: absent() },
    "rest NotFound ready=False synced=False",
  ],
  [
    "what is observed is remembered as that",
    { memory: nothing, object: objectOf(observe), resource: foreign },
    "remember Observed orders []",
  ],
]);

test("a session of another account is named in the condition", () => {
  const decision = decide(seeing({ memory: { ...MADE, accountID: "222222222222" } }));
  assert.equal(decision.kind, "rest");
  assert.ok(decision.kind === "rest" && decision.fact.message.includes("222222222222"));
  assert.ok(decision.kind === "rest" && decision.fact.message.includes(SESSION.account));
});

test("who may not take over what exists is told what helps", () => {
  const told = (more: Partial<Observation>): string => {
    const decision = decide(seeing(more));
    return decision.kind === "rest" ? decision.fact.message : decision.kind;
  };
  const anew = "by a new object with management.adopt: delete this one with deletionPolicy Retain, and make it anew.";
  assert.match(told({ memory: nothing, resource: foreign }), /only with management\.adopt\.$/);
  assert.ok(told({ resource: others, object: objectOf(consent) }).endsWith(`It is taken over only ${anew}`));
  assert.ok(told({ resource: foreign, object: objectOf(byTags) }).endsWith(`It is taken over only ${anew}`));
  const held = { memory: nothing, resource: { ...others, ownerLives: true } };
  assert.match(told({ ...held, object: objectOf(consent) }), /only once that object is gone\.$/);
  assert.match(told(held), /only once that object is gone, and with management\.adopt\.$/);
});

test("why something is not there any more is told, where AWS tells", () => {
  const told = (why: string | undefined): unknown => {
    const plan = { hash: "plan", action: "Recreate", changes: [] } as const;
    const decision = decide(seeing({ memory: { ...MADE, plan }, holdsData: true, resource: absent({ why }) }));
    return decision.kind === "rest" && decision.fact.message;
  };
  const how = "It is made anew when the annotation aws-infra-operator.runner.codes/approve is plan.";
  assert.equal(
    told("Client.VolumeLimitExceeded: No room"),
    `SQSQueue orders is not there any more: Client.VolumeLimitExceeded: No room. ${how}`,
  );
  assert.equal(told(undefined), `SQSQueue orders is not there any more. ${how}`);
});
