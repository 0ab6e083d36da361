import assert from "node:assert/strict";
import { test } from "node:test";
import { StateKeeper } from "./state-keeper.ts";

test("the same kind, name and content give the same state to all who ask, and it ends with the last of them", () => {
  const keeper = new StateKeeper();
  const ended: string[] = [];
  const make = (name: string) => () => ({ state: { name }, dispose: () => void ended.push(name) });
  const [one, other] = [keeper.keeping(), keeper.keeping()];
  const state = one.state.of("bucket", "a", { rate: 1 }, make("first"));
  assert.equal(other.state.of("bucket", "a", { rate: 1 }, make("second")), state);
  one.release()();
  assert.deepEqual(ended, []);
  other.release()();
  assert.deepEqual(ended, ["first"]);
  assert.equal(keeper.size, 0);
});

test("who is compiled anew keeps what it still asks for, and other content is other state", () => {
  const keeper = new StateKeeper();
  const ended: string[] = [];
  const make = (name: string) => () => ({ state: { name }, dispose: () => void ended.push(name) });
  const before = keeper.keeping();
  const pool = before.state.of("pool", "a", null, make("pool"));
  before.state.of("limit", "a", 1, make("limit 1"));
  const after = keeper.keeping();
  assert.equal(after.state.of("pool", "a", null, make("another pool")), pool);
  after.state.of("limit", "a", 2, make("limit 2"));
  const end = before.release();
  assert.deepEqual(ended, []);
  end();
  assert.deepEqual(ended, ["limit 1"]);
});

test("what is asked for again before it has ended stays", () => {
  const keeper = new StateKeeper();
  const ended: string[] = [];
  const make = () => ({ state: {}, dispose: () => void ended.push("ended") });
  const first = keeper.keeping();
  const state = first.state.of("pool", "a", null, make);
  const end = first.release();
  assert.equal(keeper.keeping().state.of("pool", "a", null, make), state);
  end();
  assert.deepEqual(ended, []);
});
