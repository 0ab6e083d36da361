import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { linkSignals } from "./linked-signal.ts";

test("a linked signal aborts with the first of its sources, for that reason, and lets go of them all", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals([first.signal, second.signal]);
  assert.equal(signal.aborted, false);
  second.abort(new Error("enough"));
  assert.equal((signal.reason as Error).message, "enough");
  first.abort(new Error("too late"));
  assert.equal((signal.reason as Error).message, "enough");
  assert.equal(getEventListeners(first.signal, "abort").length, 0);
});

test("a source that has aborted before aborts it at once", () => {
  const { signal } = linkSignals([new AbortController().signal, AbortSignal.abort("gone")]);
  assert.equal(signal.reason, "gone");
});

test("what was disposed of follows no longer, and no source remembers it", () => {
  const source = new AbortController();
  const linked = linkSignals([source.signal]);
  linked[Symbol.dispose]();
  assert.equal(getEventListeners(source.signal, "abort").length, 0);
  source.abort();
  assert.equal(linked.signal.aborted, false);
});
