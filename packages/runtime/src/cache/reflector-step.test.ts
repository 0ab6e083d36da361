import assert from "node:assert/strict";
import { test } from "node:test";
import type { WatchEvent } from "../client/client.ts";
import type { ReflectorFault } from "./reflector-fault.ts";
import { allowedSilenceMs, beginReflecting, listVersion, problemOf } from "./reflector-state.ts";
import type { ReflectorInput, ReflectorState } from "./reflector-state.ts";
import { stepReflector } from "./reflector-step.ts";
import type { ReflectorStep } from "./reflector-step.ts";
import type { Widget } from "./testing/model-server.ts";

type Input = ReflectorInput<Widget>;

function event(type: "ADDED" | "MODIFIED" | "DELETED", resourceVersion: string): WatchEvent<Widget> {
  return { type, object: { apiVersion: "v1", kind: "Widget", metadata: { name: "a", resourceVersion }, value: 1 } };
}
const bookmark = (resourceVersion: string, initialEventsEnd = false): WatchEvent<Widget> => ({
  type: "BOOKMARK",
  resourceVersion,
  initialEventsEnd,
});
const fault = (kind: ReflectorFault["kind"], retryAfterMs = 0): ReflectorFault => ({
  kind,
  message: `a fault: ${kind}`,
  retryAfterMs,
});
const failing = (kind: ReflectorFault["kind"], at: number, retryAfterMs = 0): Input => ({
  type: "failed",
  at,
  fault: fault(kind, retryAfterMs),
});

/** The last step of several. */
function after(state: ReflectorState, ...inputs: readonly Input[]): ReflectorStep<Widget> {
  let step: ReflectorStep<Widget> = { state, effects: [] };
  for (const input of inputs) step = stepReflector(step.state, input);
  return step;
}

const listed = (resourceVersion: string, at = 0): Input => ({ type: "listed", at, resourceVersion });
const watchingAt = (resourceVersion: string, watchList = false): ReflectorState =>
  watchList
    ? after(beginReflecting(true), { type: "event", at: 0, event: bookmark(resourceVersion, true) }).state
    : after(beginReflecting(false), listed(resourceVersion)).state;

function backingOff(state: ReflectorState): ReflectorState & { kind: "backingOff" } {
  assert.equal(state.kind, "backingOff");
  return state;
}

test("the first list takes what the server has at hand, later ones nothing older than was seen", () => {
  assert.equal(listVersion(beginReflecting(false).memory), "0");
  const again = after(watchingAt("50"), failing("gone", 5_000)).state;
  assert.equal(again.kind, "listing");
  assert.equal(listVersion(again.memory), "50");
});

test("a list replaces the store and is followed by a watch from its version", () => {
  const { state, effects } = after(beginReflecting(false), listed("7"));
  assert.deepEqual(effects, [{ type: "replace", resourceVersion: "7", anew: false }]);
  assert.equal(state.kind, "watching");
  assert.equal(state.memory.resourceVersion, "7");
});

test("events of a list as a stream are collected, and their versions not taken over before the mark", () => {
  const first = after(beginReflecting(true), { type: "event", at: 0, event: event("ADDED", "90") });
  assert.deepEqual(first.effects, [{ type: "collect", event: event("ADDED", "90") }]);
  assert.equal(first.state.memory.resourceVersion, undefined);
  const early = after(first.state, { type: "event", at: 0, event: bookmark("91") });
  assert.equal(early.state.kind, "streaming");
  assert.equal(early.state.memory.resourceVersion, undefined);
  const end = after(early.state, { type: "event", at: 0, event: bookmark("95", true) });
  assert.deepEqual(end.effects, [{ type: "replace", resourceVersion: "95", anew: false }]);
  assert.equal(end.state.kind, "watching");
});

test("a server that does not know lists as streams is asked for lists, at once and for ever", () => {
  const refused = after(beginReflecting(true), failing("unsupported", 0));
  assert.equal(refused.state.kind, "listing");
  assert.deepEqual(refused.effects, [{ type: "discard" }]);
  const later = after(refused.state, listed("5"), failing("gone", 5_000)).state;
  assert.equal(later.kind, "listing");
});

test("a stream that ends before its mark is forgotten and followed by a plain list", () => {
  for (const input of [{ type: "ended", at: 0 }, failing("cut", 0), failing("broken", 0)] as const) {
    const { state, effects } = after(beginReflecting(true), input);
    assert.deepEqual(effects, [{ type: "discard" }]);
    assert.equal(backingOff(state).next, "listing");
    assert.equal(state.memory.watchList, true);
  }
});

test("a list at a version that the server forgot or has not reached is asked for anew, the newest and at once", () => {
  for (const kind of ["gone", "ahead"] as const) {
    const relisting = after(watchingAt("50"), failing("gone", 0)).state;
    const { state } = after(relisting, failing(kind, 1));
    assert.equal(state.kind, "listing");
    assert.equal(listVersion(state.memory), undefined);
    const twice = after(state, failing(kind, 2)).state;
    assert.equal(backingOff(twice).next, "listing");
    const done = after(twice, { type: "rested", at: 3 }, listed("60", 4)).state;
    assert.equal(done.memory.newest, false);
  }
});

test("a list that is older than what was seen is not taken; the newest is, and is told as a history that went back", () => {
  const relisting = after(watchingAt("50"), failing("gone", 0)).state;
  const stale = after(relisting, listed("40", 1));
  assert.deepEqual(stale.effects, [{ type: "discard" }]);
  assert.equal(stale.state.kind, "listing");
  const restored = after(stale.state, listed("41", 2));
  assert.deepEqual(restored.effects, [{ type: "replace", resourceVersion: "41", anew: true }]);
  assert.equal(restored.state.memory.resourceVersion, "41");
});

test("an event is applied and moves the version on; a repeated or older one is ignored and does not", () => {
  const { state, effects } = after(watchingAt("50"), { type: "event", at: 1, event: event("MODIFIED", "100") });
  assert.deepEqual(effects, [{ type: "apply", event: event("MODIFIED", "100") }]);
  assert.equal(state.memory.resourceVersion, "100");
  for (const version of ["100", "99", "51"]) {
    const old = after(state, { type: "event", at: 2, event: event("DELETED", version) });
    assert.deepEqual(old.effects, [{ type: "ignore", event: event("DELETED", version) }]);
    assert.equal(old.state.memory.resourceVersion, "100");
  }
});

test("bookmarks move the version on, and never back", () => {
  const { state, effects } = after(watchingAt("50"), { type: "event", at: 1, event: bookmark("70") });
  assert.deepEqual(effects, []);
  assert.equal(state.memory.resourceVersion, "70");
  assert.equal(after(state, { type: "event", at: 1, event: bookmark("60") }).state.memory.resourceVersion, "70");
});

test("a version that is no number is taken as it comes", () => {
  const { state, effects } = after(watchingAt("b"), { type: "event", at: 1, event: event("MODIFIED", "a") });
  assert.equal(effects[0]?.type, "apply");
  assert.equal(state.memory.resourceVersion, "a");
});

test("410 in a watch leads to a list at once; a second one soon after waits", () => {
  const first = after(watchingAt("50", true), failing("gone", 10)).state;
  assert.equal(first.kind, "streaming");
  const second = after(first, { type: "event", at: 11, event: bookmark("60", true) }, failing("gone", 12)).state;
  assert.equal(backingOff(second).next, "streaming");
  assert.equal(backingOff(second).ms, 1600);
});

test("an unavailable server is waited for as it asks, and the watch goes on from the same version", () => {
  let state = watchingAt("50");
  for (let failure = 0; failure < 20; failure++) {
    const waiting = backingOff(after(state, failing("unavailable", failure, 7_000)).state);
    assert.equal(waiting.next, "watching");
    assert.equal(waiting.atLeastMs, 7_000);
    assert.equal(waiting.memory.resourceVersion, "50");
    state = after(waiting, { type: "rested", at: failure }).state;
    assert.equal(state.kind, "watching");
  }
});

test("a watch that was of use goes on at once when it is cut or ends", () => {
  for (const end of [{ type: "ended", at: 900 } as const, failing("cut", 900)]) {
    const used = after(watchingAt("50"), { type: "event", at: 1, event: event("MODIFIED", "51") }, end).state;
    assert.equal(used.kind, "watching");
    assert.equal(used.memory.failures, 0);
  }
  assert.equal(after(watchingAt("50"), { type: "ended", at: 1_000 }).state.kind, "watching");
});

test("a very short watch that brought nothing new has failed; after several the version is no longer trusted", () => {
  let state = watchingAt("50", true);
  const then: string[] = [];
  for (let failure = 0; failure < 6; failure++) {
    const waiting = backingOff(after(state, { type: "ended", at: 10 }).state);
    then.push(waiting.next);
    state = { ...after(waiting, { type: "rested", at: 10 }).state, kind: "watching", since: 10, progressed: false };
  }
  assert.deepEqual(then, ["watching", "watching", "watching", "watching", "streaming", "streaming"]);
});

test("an answer that makes no sense leads to a list after a while", () => {
  for (const kind of ["broken", "unsupported", "missing"] as const) {
    assert.equal(backingOff(after(watchingAt("50"), failing(kind, 10)).state).next, "listing");
  }
});

test("backoff doubles from 800 ms to 30 s, and to 5 s for a kind that is not served", () => {
  for (const [kind, most] of [
    ["unavailable", 30_000],
    ["missing", 5_000],
  ] as const) {
    let state = beginReflecting(false);
    const waits: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      const waiting = backingOff(after(state, failing(kind, failure)).state);
      waits.push(waiting.ms);
      state = after(waiting, { type: "rested", at: failure }).state;
    }
    assert.deepEqual(
      waits,
      [800, 1600, 3200, 6400, 12800, 25600, 51200, 102400].map((ms) => Math.min(ms, most)),
    );
  }
});

test("failures are forgotten after two minutes of health, and not before", () => {
  const failedOnce = after(
    beginReflecting(false),
    failing("unavailable", 0),
    { type: "rested", at: 1 },
    listed("5", 1),
  );
  assert.equal(backingOff(after(failedOnce.state, failing("unavailable", 120_000)).state).ms, 1600);
  assert.equal(backingOff(after(failedOnce.state, failing("unavailable", 120_001)).state).ms, 800);
});

test("silence counts from the first watch on; after one it means nothing until a bookmark is seen", () => {
  const quiet = watchingAt("50");
  assert.equal(allowedSilenceMs(quiet), 90_000);
  const silent = after(quiet, { type: "silent", at: 90_001 }).state;
  assert.equal(silent.kind, "watching");
  assert.equal(silent.memory.resourceVersion, "50");
  assert.equal(allowedSilenceMs(silent), undefined);
  const marked = after(silent, { type: "event", at: 90_002, event: bookmark("51") }).state;
  assert.equal(allowedSilenceMs(marked), 90_000);
  const again = after(marked, { type: "silent", at: 180_003 }, { type: "rested", at: 190_000 }).state;
  assert.equal(allowedSilenceMs(again), undefined);
  assert.equal(allowedSilenceMs(beginReflecting(true)), 90_000);
  assert.equal(backingOff(after(beginReflecting(false), { type: "silent", at: 1 }).state).next, "listing");
});

test("a problem is told until something is heard or the watch has stood for a while", () => {
  const failed = after(watchingAt("50"), failing("unavailable", 0)).state;
  assert.equal(problemOf(failed, 0), "a fault: unavailable");
  const again = after(failed, { type: "rested", at: 800 }).state;
  assert.equal(problemOf(again, 900), "a fault: unavailable");
  assert.equal(problemOf(again, 10_800), undefined);
  assert.equal(problemOf(after(again, { type: "event", at: 900, event: bookmark("51") }).state, 900), undefined);
});

test("a stopped reflector stays so and forgets what it collected", () => {
  const states = [
    beginReflecting(true),
    beginReflecting(false),
    watchingAt("5"),
    after(watchingAt("5"), failing("missing", 0)).state,
  ];
  for (const state of states) {
    const { state: stopped, effects } = after(state, { type: "stopped", at: 1 });
    assert.equal(stopped.kind, "stopped");
    assert.deepEqual(effects, [{ type: "discard" }]);
    for (const input of everyInput()) assert.equal(after(stopped, input).state.kind, "stopped");
  }
});

test("an input that makes no sense in a state changes nothing", () => {
  const inputs = new Map(everyInput().map((input) => [input.type, input]));
  const waiting = after(watchingAt("5"), failing("missing", 0)).state;
  const senseless: readonly (readonly [ReflectorState, readonly Input["type"][]])[] = [
    [beginReflecting(false), ["event", "ended", "rested"]],
    [beginReflecting(true), ["listed", "rested"]],
    [watchingAt("5"), ["listed", "rested"]],
    [waiting, ["listed", "event", "ended", "failed", "silent"]],
  ];
  for (const [state, types] of senseless) {
    for (const type of types)
      assert.deepEqual(after(state, inputs.get(type)!), { state, effects: [] }, `${state.kind} ${type}`);
  }
});

function everyInput(): readonly Input[] {
  return [
    listed("9"),
    { type: "event", at: 1, event: event("ADDED", "9") },
    { type: "ended", at: 1 },
    failing("gone", 1),
    { type: "silent", at: 1 },
    { type: "rested", at: 1 },
    { type: "stopped", at: 1 },
  ];
}
