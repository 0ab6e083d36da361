import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyHistory } from "../history.ts";
import type { Effect, History, Knowledge } from "../history.ts";
import { judge } from "./index.ts";

/** Which oracles object to a history that is good except for some parts; `reference` stands for the run without faults. */
function objecting(parts: Partial<History>, reference: Partial<History> = {}): string[] {
  const good = { ...emptyHistory(), convergedAt: 1 };
  return judge({ ...good, ...parts }, { ...emptyHistory(), ...reference }).map(({ oracle }) => oracle);
}

const effect: Effect = {
  number: 1,
  sentAt: 50,
  process: "a",
  identity: "a-1",
  site: "create configmaps",
  object: "configmaps x/y",
  lease: undefined,
  status: 201,
  hit: [],
  stray: false,
};
const known: Knowledge = { at: 1, from: "cache", identity: "a-1", object: "o", uid: "u", resourceVersion: "100" };
const change = { at: 1, resource: "configmaps", object: "configmaps x/y" };

test("a history in which nothing went wrong is not objected to", () => {
  assert.deepEqual(objecting({ effects: [effect] }), []);
});

test("a write without the lease, or after its end, has a second writer", () => {
  const sent = (lease: Effect["lease"]): string[] => objecting({ effects: [{ ...effect, lease }] });
  assert.deepEqual(sent({ holder: "a-1", validUntil: 60 }), []);
  assert.deepEqual(sent({ holder: "b-1", validUntil: 60 }), ["single writer"]);
  assert.deepEqual(sent({ holder: "a-1", validUntil: 49 }), ["single writer"]);
});

test("a key that begins again before its end runs twice; in another process it does not", () => {
  const mark = { at: 1, identity: "a-1", controller: "c", key: "k", what: "begin" } as const;
  assert.deepEqual(objecting({ runs: [mark, { ...mark, identity: "b-1" }] }), []);
  assert.deepEqual(objecting({ runs: [mark, { ...mark, what: "end" }, mark] }), []);
  assert.deepEqual(objecting({ runs: [mark, mark] }), ["single run"]);
});

test("a read older than an earlier read or own write goes back; of another uid it does not", () => {
  const older = { ...known, resourceVersion: "99" };
  assert.deepEqual(objecting({ knowledge: [older, known, known] }), []);
  assert.deepEqual(objecting({ knowledge: [known, older] }), ["monotonic reads"]);
  assert.deepEqual(objecting({ knowledge: [{ ...known, from: "own write" }, older] }), ["monotonic reads"]);
  assert.deepEqual(objecting({ knowledge: [known, { ...older, uid: "v" }] }), []);
});

test("an object that is made or deleted once more is churn, unless a stray write hit it", () => {
  const made = { ...change, type: "ADDED" } as const;
  assert.deepEqual(objecting({ changes: [made] }, { changes: [made] }), []);
  assert.deepEqual(objecting({ changes: [made, made] }, { changes: [made] }), ["churn"]);
  assert.deepEqual(objecting({ changes: [{ ...change, type: "DELETED" }] }), ["churn"]);
  assert.deepEqual(objecting({ changes: [made], effects: [{ ...effect, stray: true }] }), []);
});

test("a state that is not reached, or is lost again, is the wrong one", () => {
  const endState = new Map([["configmaps x/y", "{}"]]);
  assert.deepEqual(objecting({ endState }, { endState }), []);
  assert.deepEqual(objecting({ endState, convergedAt: undefined }), ["end state"]);
  assert.deepEqual(objecting({ endState }), ["end state"]);
  assert.deepEqual(objecting({}, { endState }), ["end state"]);
});

test("writes and changes count as idle only while nothing had to be done", () => {
  const idle = { from: 10, to: 100 };
  assert.deepEqual(objecting({ idle, effects: [effect] }), ["idle writes"]);
  assert.deepEqual(objecting({ idle, effects: [{ ...effect, sentAt: 100 }] }), []);
  assert.deepEqual(objecting({ idle, changes: [{ ...change, at: 20, type: "MODIFIED" }] }), ["idle writes"]);
});

test("events that repeated may be told in the first minute of an idle time, and not after it", () => {
  const idle = { from: 10, to: 100_000 };
  for (const verb of ["patch", "create"]) {
    const told = { ...effect, site: `${verb} events.events.k8s.io` };
    assert.deepEqual(objecting({ idle, effects: [told] }), []);
    assert.deepEqual(objecting({ idle, effects: [{ ...told, sentAt: 60_010 }] }), ["idle writes"]);
  }
});

test("what is left over, differs in a cache, went wrong or did not stop is told", () => {
  assert.deepEqual(objecting({ leftovers: ["configmaps x/y"] }), ["leaks"]);
  assert.deepEqual(objecting({ cacheFaults: ["a-1 does not hold it"] }), ["cache truth"]);
  assert.deepEqual(objecting({ mishaps: [{ at: 1, what: "unhandled rejection" }] }), ["mishaps"]);
  assert.deepEqual(objecting({ stopped: false }), ["mishaps"]);
});
