import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock, PassingTime, nextTurn } from "@gatewright/ports";
import { deliverableKey } from "../model/deliverable.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import type { Batch } from "./batch.ts";
import { ChangePace } from "./change-pace.ts";
import { followChanges } from "./follow-changes.ts";

function world(selects: (deliverable: Deliverable) => boolean = () => true) {
  const [catalogue, clock, stopping] = [new MutableCatalogue(), new ManualClock(), new AbortController()];
  const pace = new ChangePace({ catalogue, clock });
  pace.start(stopping.signal);
  const put = (...made: readonly Deliverable[]): void => {
    for (const one of made) catalogue.put(one.source, [one]);
  };
  const follow = () => followChanges({ catalogue, pace, selects }, stopping.signal);
  return { catalogue, clock, pace, put, follow, stop: () => stopping.abort(), time: new PassingTime(clock) };
}

const names = (batch: Batch | void) => ({
  set: batch?.set.map(({ name }) => name),
  removed: batch?.removed.map(({ name }) => name),
});

async function settled<T>(promise: Promise<T>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await nextTurn();
  return done;
}

test("nothing is told before the catalogue is complete, then all of it", async () => {
  const { catalogue, clock, put, follow, stop } = world();
  const batches = follow();
  const first = batches.next();
  put(deliverable("a"));
  clock.advance(100);
  assert.equal(await settled(first), false);
  catalogue.completed();
  clock.advance(3);
  const { value } = await first;
  assert.deepEqual([value?.whole, names(value)], [true, { set: ["a"], removed: [] }]);
  stop();
  assert.equal((await batches.next()).done, true);
  assert.equal(clock.pending, 0);
});

test("backends come before routes and go after them", async () => {
  const { catalogue, clock, put, follow, stop } = world();
  catalogue.completed();
  put(deliverable("old-route"), deliverable("old-backend", { kind: "Backend" }));
  clock.advance(3);
  const batches = follow();
  await batches.next();
  const next = batches.next();
  put(deliverable("new-route"), deliverable("new-backend", { kind: "Backend" }));
  catalogue.remove(deliverable("old-backend", { kind: "Backend" }).source);
  catalogue.remove(deliverable("old-route").source);
  clock.advance(3);
  assert.deepEqual(names((await next).value), {
    set: ["new-backend", "new-route"],
    removed: ["old-route", "old-backend"],
  });
  stop();
});

test("changes that keep coming go out all the same, and who is slow gets the newest state only", async () => {
  const { catalogue, clock, put, follow, stop } = world();
  catalogue.completed();
  clock.advance(3);
  const batches = follow();
  await batches.next();
  const next = batches.next();
  for (let n = 0; n < 25; n++) {
    put(deliverable("a", { spec: { n } }));
    clock.advance(2);
  }
  assert.equal((await next).value?.set.length, 1);
  for (let n = 0; n < 25; n++) {
    put(deliverable("a", { spec: { n: -n } }), deliverable("gone"));
    catalogue.remove(deliverable("gone").source);
    clock.advance(10);
  }
  const { value } = await batches.next();
  assert.deepEqual(
    value?.set.map(({ spec }) => spec["n"]),
    [-24],
  );
  assert.deepEqual(value?.removed, []);
  stop();
});

test("what a change of labels takes from a gateway is removed there", async () => {
  const { catalogue, clock, put, follow, stop } = world(({ labels }) => labels["edge"] === "yes");
  catalogue.completed();
  put(deliverable("a", { labels: { edge: "yes" } }), deliverable("b"));
  clock.advance(3);
  const batches = follow();
  assert.deepEqual(names((await batches.next()).value), { set: ["a"], removed: [] });
  const next = batches.next();
  put(deliverable("a"), deliverable("b", { labels: { edge: "yes" } }));
  put(deliverable("a", { spec: { again: true } }));
  clock.advance(3);
  assert.deepEqual(names((await next).value), { set: ["b"], removed: ["a"] });
  stop();
});

test("a thousand who wait are woken a few at a time, and all of them", async () => {
  const { catalogue, clock, put, follow, stop } = world();
  catalogue.completed();
  clock.advance(3);
  let told = 0;
  for (let n = 0; n < 1000; n++) {
    const batches = follow();
    await batches.next();
    void batches.next().then(({ done }) => (done === true ? undefined : told++));
  }
  await nextTurn();
  put(deliverable("a"));
  clock.advance(3);
  await nextTurn();
  assert.ok(told > 0 && told < 1000, `${told} were told in one turn`);
  for (let turns = 0; turns < 100; turns++) await nextTurn();
  assert.equal(told, 1000);
  stop();
});

const edits = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c"),
    kind: fc.constantFrom("APIRoute" as const, "Backend" as const),
    to: fc.option(fc.record({ n: fc.nat({ max: 2 }), mine: fc.boolean() }), { nil: undefined }),
    read: fc.boolean(),
  }),
  { maxLength: 40 },
);

test("whoever takes the batches has what is selected, whatever the edits", async () => {
  const mine = ({ labels }: Deliverable): boolean => labels["mine"] === "true";
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const { catalogue, clock, put, follow, stop } = world(mine);
      const held = new Map<string, string>();
      const batches = follow();
      catalogue.completed();
      put(deliverable("first"));
      clock.advance(60);
      for (const { name, kind, to, read } of [
        ...list,
        { name: "last", kind: "Backend" as const, to: undefined, read: true },
      ]) {
        if (to === undefined) catalogue.remove(deliverable(name, { kind }).source);
        else put(deliverable(name, { kind, spec: { n: to.n }, labels: { mine: String(to.mine) } }));
        if (!read) continue;
        put(deliverable("always", { spec: { revision: catalogue.revision } }));
        clock.advance(60);
        const { value } = await batches.next();
        if (value?.whole === true) held.clear();
        for (const one of value?.set ?? []) {
          assert.notEqual(held.get(deliverableKey(one)), one.version);
          held.set(deliverableKey(one), one.version);
        }
        for (const one of value?.removed ?? []) assert.ok(held.delete(deliverableKey(one)));
        assert.deepEqual(
          new Map([...catalogue.all()].filter(mine).map((one) => [deliverableKey(one), one.version])),
          held,
        );
      }
      stop();
    }),
    { numRuns: 50 },
  );
});
