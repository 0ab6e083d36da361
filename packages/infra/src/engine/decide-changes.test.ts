import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "./decide.ts";
import { remembering } from "./memory.ts";
import type { Memory } from "./memory.ts";
import { driftOf } from "../plan/drift.ts";
import { testDecisions } from "./testing/decision-cases.ts";
import {
  absent,
  comparisonOf,
  difference,
  MADE,
  objectOf,
  present,
  seeing,
  WAS_IN_SYNC,
} from "./testing/observations.ts";

const replacing: Memory = { ...MADE, pending: { operation: "Replace", token: "uid-1-0", since: "" } };
const report = { management: { mode: "Manage", drift: { mode: "Report" } } } as const;
const foreign = present({ own: false, owner: undefined, tags: { set: { a: "b" }, remove: [] } });
const plan = { hash: "plan", changes: [{ field: "engine", have: "a", want: "b" }] };
const policy = (end: string) => difference("policy", { want: "x".repeat(3_000) + end });
const value = difference("value", { secret: true });
const written = (version: string): Memory => ({
  ...MADE,
  resource: { ...MADE.resource!, versions: { value: version } },
});
const hidden = {
  object: objectOf(report, { status: WAS_IN_SYNC }),
  resource: present({ comparison: comparisonOf(value) }),
};
const engine = difference("engine", { change: "replace" });
const tagged = {
  object: objectOf(report, { status: WAS_IN_SYNC }),
  resource: present({ tags: { set: { team: "shop" }, remove: [] } }),
  versions: { tags: "1" },
};
const differing = (...paths: readonly string[]) =>
  present({ comparison: comparisonOf(...paths.map((path) => difference(path))) });

testDecisions(decide, [
  [
    "what is on its way out is waited for",
    { resource: present({ state: { is: "going", message: "", pollMs: 1 } }) },
    "rest Going ready=False synced=False",
  ],
  [
    "what does not work is told",
    { resource: present({ state: { is: "failed", message: "" } }) },
    "rest Failed ready=False synced=False",
  ],
  [
    "what AWS works on is left alone",
    { resource: present({ ...differing("size"), state: { is: "busy", message: "", pollMs: 1 } }) },
    "rest Busy ready=False synced=False",
  ],
  [
    "unless it may be changed meanwhile",
    { resource: present({ ...differing("size"), state: { is: "busy", message: "", pollMs: 1, changeable: true } }) },
    "ask change",
  ],
  [
    "and is not ready before AWS is done",
    { resource: present({ state: { is: "busy", message: "", pollMs: 1, changeable: true } }) },
    "rest Busy ready=False synced=False",
  ],

  ["what differs is changed", { resource: differing("size") }, "ask change"],
  [
    "not by what was read long ago: it may have changed since",
    { resource: { ...differing("size"), fresh: false } },
    "ask read",
  ],
  [
    "a field is remembered before it is written for the first time",
    { resource: differing("size", "color"), declared: ["size", "color"] },
    "remember Created orders [size color]",
  ],
  [
    "a field that left the spec is forgotten once it is reset",
    {
      memory: { ...MADE, resource: { ...MADE.resource!, fields: ["size", "color"] } },
      answers: { outputs: "written" },
    },
    "remember Created orders [size]",
  ],
  [
    "what is in the way of a change is told",
    { resource: differing("size"), answers: { obstacle: { reason: "StopNeeded", message: "" } } },
    "rest StopNeeded ready=kept synced=False",
  ],
  [
    "what was just written is not written again at once: reads may be behind",
    { resource: differing("size"), paced: { paths: new Set(["size"]), waitMs: 9 } },
    "rest Applying ready=kept synced=False",
  ],
  [
    "what is written again and again is given up",
    { resource: differing("size"), loops: { paths: ["size"], waitMs: 1 } },
    "rest WriteLoop ready=False synced=False",
  ],
  ["tags that differ are set", { resource: present({ tags: { set: { a: "b" }, remove: [] } }) }, "ask tag"],

  [
    "what others changed is told where it is only to be told",
    { object: objectOf(report, { status: WAS_IN_SYNC }), resource: differing("size") },
    "remember Created orders [size], drift=size",
  ],
  [
    "and left as it is",
    {
      object: objectOf(report, { status: WAS_IN_SYNC }),
      memory: { ...MADE, drift: driftOf([difference("size")], {}) },
      resource: differing("size"),
    },
    "rest Drifted ready=True synced=False",
  ],
  [
    "what the spec changed is written all the same",
    { object: objectOf(report), resource: differing("size") },
    "ask change",
  ],
  [
    "and nothing beside it",
    {
      object: objectOf(report),
      memory: { ...MADE, drift: driftOf([difference("color")], {}) },
      resource: differing("color"),
    },
    "rest Drifted ready=True synced=False",
  ],
  [
    "unless its owner wants another value now, also where what is shown of it is the same",
    {
      object: objectOf(report),
      memory: { ...MADE, drift: driftOf([policy("old end")], {}) },
      resource: present({ comparison: comparisonOf(policy("new end")) }),
    },
    "ask change",
  ],
  [
    "what others changed of a secret is told too",
    { ...hidden, memory: written("1"), versions: { value: "1" } },
    "remember Created orders [size], drift=value",
  ],
  [
    "and stays told when something else is wanted anew",
    {
      ...hidden,
      object: objectOf(report),
      memory: { ...written("1"), drift: driftOf([value], { value: "1" }) },
      versions: { value: "1" },
    },
    "rest Drifted ready=True synced=False",
  ],
  [
    "another value in its Secret is its owner's wish",
    { ...hidden, memory: written("1"), versions: { value: "2" } },
    "ask change",
  ],
  [
    "also when the field was told before",
    {
      ...hidden,
      memory: { ...written("1"), drift: driftOf([value], { value: "1" }) },
      versions: { value: "2" },
    },
    "ask change",
  ],
  [
    "and where it is not known which version was written",
    { ...hidden, memory: { ...MADE, drift: driftOf([value], {}) }, versions: { value: "2" } },
    "ask change",
  ],
  [
    "a secret without a version is written with a new spec: it may be what is new",
    { ...hidden, object: objectOf(report), memory: { ...MADE, drift: driftOf([value], {}) } },
    "ask change",
  ],
  [
    "what a reference leads to now is its owner's wish",
    {
      object: objectOf(report, { status: WAS_IN_SYNC }),
      memory: { ...MADE, resource: { ...MADE.resource!, versions: { size: "1" } } },
      resource: differing("size"),
      versions: { size: "2" },
    },
    "ask change",
  ],
  [
    "tags that others changed are told",
    { ...tagged, memory: { ...MADE, resource: { ...MADE.resource!, versions: { tags: "1" } } } },
    "remember Created orders [size], drift=tags.team",
  ],
  [
    "those that the provider has now are written",
    { ...tagged, memory: { ...MADE, resource: { ...MADE.resource!, versions: { tags: "0" } } } },
    "ask tag",
  ],
  [
    "what was just made anew was changed by nobody",
    {
      object: objectOf(report, { status: WAS_IN_SYNC }),
      memory: remembering(MADE, { lastSyncTime: undefined }),
      resource: differing("size"),
    },
    "ask change",
  ],

  [
    "what cannot be changed asks for a word",
    { resource: present({ comparison: comparisonOf(engine), replacement: { ...plan, approved: false } }) },
    "remember Created orders [size], plan=Replace",
  ],
  [
    "and waits for it",
    {
      memory: { ...MADE, plan: { ...plan, action: "Replace" } },
      resource: present({ comparison: comparisonOf(engine), replacement: { ...plan, approved: false } }),
    },
    "rest ReplacementNeeded ready=kept synced=False",
  ],
  [
    "what others changed, is only told and cannot be changed holds up nothing that its owner wants",
    {
      object: objectOf(report),
      memory: { ...MADE, drift: driftOf([engine], {}) },
      resource: present({
        comparison: comparisonOf(engine, difference("size")),
        replacement: { ...plan, approved: false },
      }),
    },
    "ask change",
  ],
  [
    "what the owner wants and cannot be changed asks for a word also beside what is told",
    {
      object: objectOf(report),
      memory: { ...MADE, drift: driftOf([difference("size")], {}) },
      resource: present({
        comparison: comparisonOf(engine, difference("size")),
        replacement: { ...plan, approved: false },
      }),
    },
    "remember Created orders [size], plan=Replace, drift=size",
  ],
  [
    "with it the replacement is written down",
    { resource: present({ comparison: comparisonOf(engine), replacement: { ...plan, approved: true } }) },
    "remember pending=Replace uid-1-0, Created orders [size]",
  ],
  [
    "and then what is there is removed",
    { memory: replacing, resource: present({ replacement: { ...plan, approved: true } }) },
    "ask remove",
  ],
  [
    "not when the word is taken back",
    { memory: replacing, resource: present({ replacement: { ...plan, approved: false } }) },
    "remember Created orders [size]",
  ],
  [
    "nor when it is not ours any more",
    { memory: replacing, resource: { ...foreign, replacement: { ...plan, approved: true } } },
    "remember Created orders [size]",
  ],
  [
    "it is waited for until it is gone",
    { memory: replacing, resource: present({ state: { is: "going", message: "", pollMs: 1 } }) },
    "rest Replacing ready=False synced=False",
  ],
  [
    "gone, the next one is intended",
    { memory: replacing, resource: absent(), removed: true },
    "remember pending=Create uid-1-1, Created orders [size], replacements=1",
  ],
  [
    "which is believed at once of what was removed, and of nothing else",
    { memory: replacing, resource: absent({ believedInMs: 9 }) },
    "rest Replacing ready=False synced=False",
  ],
  [
    "what protects it from being removed is told",
    {
      memory: replacing,
      resource: present({ replacement: { ...plan, approved: true } }),
      answers: { obstacle: { reason: "DeletionProtected", message: "" } },
    },
    "rest DeletionProtected ready=False synced=False",
  ],
]);

test("a change is drift when all was well and nobody wished for another value: not when a Secret holds another", () => {
  const drifted = (more: Parameters<typeof seeing>[0]): unknown => {
    const decision = decide(seeing({ resource: differing("size"), ...more }));
    return decision.kind === "ask" && decision.effect.type === "change" ? decision.effect.drifted : decision.kind;
  };
  const known: Memory = { ...MADE, resource: { ...MADE.resource!, versions: { size: "1" } } };
  assert.equal(drifted({ wasInSync: false }), false, "the spec is new");
  assert.equal(drifted({ wasInSync: true }), true);
  assert.equal(drifted({ wasInSync: true, memory: known, versions: { size: "1" } }), true);
  assert.equal(drifted({ wasInSync: true, memory: known, versions: { size: "2" } }), false);
});

test("the name of what is wanted tells nothing of a secret", () => {
  const [told] = driftOf([difference("value", { secret: true, want: "hunter2" })], { value: "1" });
  const [same] = driftOf([difference("value", { secret: true, want: "hunter3" })], { value: "1" });
  assert.ok(told?.of !== undefined);
  assert.deepEqual(told, same);
  assert.deepEqual(driftOf([value], {}), [{ field: "value", have: "(secret)", want: "(secret)" }]);
});

test("what is made anew was never as the spec says", () => {
  const decision = decide(seeing({ memory: replacing, resource: absent(), removed: true }));
  assert.equal(decision.kind === "remember" && decision.memory.lastSyncTime, undefined);
  const tried = decide(seeing({ resource: absent() }));
  assert.equal(tried.kind === "remember" && tried.memory.lastSyncTime, undefined);
});
