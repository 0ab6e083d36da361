import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryState } from "./memory-state.ts";

interface Zone {
  readonly name: string;
  readonly tags: string[];
}

test("a commit is seen at once, before it resolves", async () => {
  const state = createMemoryState();
  const zones = state.records<Zone>("route53/zones");
  const committed = state.commit((commit) => commit.put(zones, "a", { name: "a.example", tags: [] }));
  assert.equal(zones.get("a")?.name, "a.example");
  await committed;
  assert.equal(state.records<Zone>("route53/zones").get("a")?.name, "a.example");
});

test("lists are in the order of keys and hold only those with the prefix", async () => {
  const state = createMemoryState();
  const records = state.records<number>("r");
  await state.commit((commit) => {
    for (const key of ["b/2", "a/1", "b/10", "c", "b", "b/\u{1f600}", "b/\uffee"]) commit.put(records, key, key.length);
  });
  assert.deepEqual(
    records.list("b/").map(([key]) => key),
    ["b/10", "b/2", "b/\uffee", "b/\u{1f600}"],
  );
  assert.equal(records.list().length, 7);
  assert.deepEqual(records.list("d"), []);
});

test("values are frozen through and through", async () => {
  const state = createMemoryState();
  const zones = state.records<Zone>("zones");
  await state.commit((commit) => commit.put(zones, "a", { name: "a", tags: ["x"] }));
  assert.throws(() => zones.get("a")?.tags.push("y"), TypeError);
});

test("a commit that throws changes nothing", async () => {
  const state = createMemoryState();
  const records = state.records<number>("r");
  await assert.rejects(
    state.commit((commit) => {
      commit.put(records, "a", 1);
      throw new Error("changed my mind");
    }),
  );
  assert.equal(records.get("a"), undefined);
});

test("of several changes to one key in a commit the last counts", async () => {
  const state = createMemoryState();
  const records = state.records<number>("r");
  await state.commit((commit) => {
    commit.put(records, "a", 1);
    commit.delete(records, "a");
    commit.put(records, "b", 1);
    commit.put(records, "b", 2);
  });
  assert.deepEqual(records.list(), [["b", 2]]);
});

test("what JSON cannot carry is refused, and the place is named", async () => {
  const state = createMemoryState();
  const records = state.records<unknown>("r");
  for (const value of [new Uint8Array(1), new Map(), new Date(0), Number.NaN, () => 1, 1n]) {
    await assert.rejects(
      state.commit((commit) => commit.put(records, "a", { part: value })),
      /part cannot be kept/,
    );
  }
});

test("records of another state are refused", async () => {
  const other = createMemoryState().records<number>("r");
  await assert.rejects(
    createMemoryState().commit((commit) => commit.put(other, "a", 1)),
    /another state/,
  );
});
