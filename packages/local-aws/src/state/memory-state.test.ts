import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
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

test("the past can be looked at as far back as it is kept", async () => {
  const clock = new ManualClock();
  const state = createMemoryState();
  const records = state.records<number>("r");
  const put = (key: string, value: number) => state.commit((commit) => commit.put(records, key, value));
  const seen = (ago: number) => state.asOf(clock.now() - ago, () => Object.fromEntries(records.list()));
  await put("a", 0);
  assert.deepEqual(seen(1000), { a: 0 }, "nothing is kept unless somebody asks for it");
  state.keepPast(clock, 1000);
  state.keepPast(clock, 500);
  clock.advance(100);
  await put("a", 1);
  await put("b", 1);
  clock.advance(100);
  await put("a", 2);
  assert.deepEqual(
    [seen(101), seen(100), seen(1), seen(0)],
    [{ a: 0 }, { a: 1, b: 1 }, { a: 1, b: 1 }, { a: 2, b: 1 }],
  );
  assert.deepEqual(Object.fromEntries(records.list()), { a: 2, b: 1 });
  await state.commit((commit) => commit.put(records, "old", 7), "always");
  assert.deepEqual(seen(101), { a: 0, old: 7 });
  clock.advance(5000);
  await put("a", 3);
  assert.deepEqual(seen(5100), { a: 2, b: 1, old: 7 }, "what is older than that is gone");
});

test("a look at the past that fails leads back to the present", async () => {
  const clock = new ManualClock();
  const state = createMemoryState();
  const records = state.records<number>("r");
  state.keepPast(clock, 1000);
  clock.advance(10);
  await state.commit((commit) => commit.put(records, "a", 1));
  assert.throws(
    () =>
      state.asOf(clock.now() - 1, () => {
        assert.equal(records.get("a"), undefined);
        throw new Error("no");
      }),
    /no/,
  );
  assert.equal(records.get("a"), 1);
});
