import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareResourceVersions, keyOf } from "@gatewright/kube";
import type { Immutable, ObjectKey } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createCache } from "./create-cache.ts";
import type { CacheChange, Informer } from "./informer.ts";
import { ModelServer, scripted, stateName, widgets } from "./testing/model-server.ts";
import type { Widget } from "./testing/model-server.ts";

/** What happens in a history; `own`: by the process that has the cache. */
type Move =
  | { readonly type: "write" | "remove"; readonly name: string; readonly own: boolean }
  | { readonly type: "compact" | "pass" };

interface History {
  readonly moves: readonly Move[];
  readonly faults: readonly number[];
  readonly watchList: boolean;
}

const name = fc.constantFrom("a", "b", "c");
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("write" as const), name, own: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), name, own: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("compact" as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("pass" as const) }) },
);
const histories: fc.Arbitrary<History> = fc.record({
  moves: fc.array(move, { maxLength: 25 }),
  faults: fc.array(fc.nat(11), { maxLength: 60 }),
  watchList: fc.boolean(),
});

interface Run {
  readonly server: ModelServer;
  readonly informer: Informer<Widget>;
}

/** Eyes on a run. */
interface Eyes {
  changed?(change: CacheChange<Widget>, run: Run): void;
  /** After each move. */
  moved?(move: Move, run: Run): void;
  /** A watch goes on from a version. */
  resumed?(resourceVersion: number, run: Run): void;
  /** The server's acknowledgement of an own write or removal was told to the cache. */
  wrote?(object: Immutable<Widget>, run: Run): void;
  removed?(object: Immutable<Widget>, run: Run): void;
  synced?(run: Run): void;
  /** Nothing goes wrong any more and everything has settled. */
  ended?(run: Run): void;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
}

async function play(history: History, eyes: Eyes): Promise<void> {
  const clock = new ManualClock();
  const server = new ModelServer(clock, scripted(history.faults));
  server.watchList = history.watchList;
  server.write("a");
  const cache = createCache({ client: server.client(), clock, random: seededRandom() });
  const informer = cache.informer(widgets);
  const run: Run = { server, informer };
  // The cache contains what its callers throw: violations are kept and thrown at the end.
  const violations: unknown[] = [];
  const judged = (judge: () => void): void => {
    try {
      judge();
    } catch (error) {
      violations.push(error);
    }
  };
  server.onWatch = (version) => judged(() => eyes.resumed?.(version, run));
  informer.subscribe((change) => judged(() => eyes.changed?.(change, run)));
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  const synced = informer.whenSynced(stop.signal).then(
    () => judged(() => eyes.synced?.(run)),
    () => {},
  );
  try {
    for (const next of history.moves) {
      if (next.type === "compact") server.compact();
      if (next.type === "pass") {
        await turns();
        clock.advance(1_000);
      }
      if (next.type === "write") {
        const object = server.write(next.name);
        if (next.own) {
          cache.wrote(widgets, object);
          eyes.wrote?.(object, run);
        }
      }
      if (next.type === "remove") {
        const object = server.remove(next.name);
        if (next.own && object !== undefined) {
          cache.removed(widgets, { name: next.name }, object.metadata.uid);
          eyes.removed?.(object, run);
        }
      }
      eyes.moved?.(next, run);
    }
    for (let round = 0; round < 60; round++) {
      if (round === 30) server.calm();
      await turns();
      clock.advance(10_000);
    }
    await turns();
    eyes.ended?.(run);
  } finally {
    stop.abort();
    await running;
    await synced;
  }
  if (violations.length > 0) throw violations[0];
  assert.equal(clock.pending, 0, "no timer is left behind");
}

async function law(eyes: () => Eyes): Promise<void> {
  await fc.assert(
    fc.asyncProperty(histories, (history) => play(history, eyes())),
    { numRuns: 200 },
  );
}

const newer = (a: Immutable<Widget>, b: Immutable<Widget>): boolean =>
  (compareResourceVersions(a.metadata.resourceVersion!, b.metadata.resourceVersion!) ?? 0) > 0;

test("law 4: what the cache tells of an object is a subsequence of its states on the server and never goes back", async () => {
  await law(() => {
    const last = new Map<ObjectKey, Immutable<Widget>>();
    return {
      changed({ type, object }, { server }) {
        assert.ok(server.states().has(stateName(object)), `${stateName(object)} never was`);
        const before = last.get(keyOf(object));
        if (type === "deleted") {
          assert.ok(before === undefined || before === object || newer(object, before));
        } else {
          assert.ok(before === undefined || newer(object, before), `${stateName(object)} is older than what was told`);
        }
        last.set(keyOf(object), object);
      },
    };
  });
});

test("law 4: an object that vanished unseen is told as deleted, and one made anew as deleted and then added", async () => {
  await law(() => {
    const told = new Map<ObjectKey, string>();
    return {
      changed(change) {
        const key = keyOf(change.object);
        const uid = change.object.metadata.uid!;
        const known = told.get(key);
        if (change.type === "added") assert.equal(known, undefined);
        else assert.equal(known, uid);
        if (change.type === "deleted") told.delete(key);
        else told.set(key, uid);
      },
      ended({ server }) {
        const there = [...server.stateAt(server.version)].map(([key, object]) => `${key} ${object.metadata.uid}`);
        assert.deepEqual([...told].map(([key, uid]) => `${key} ${uid}`).sort(), there.sort());
      },
    };
  });
});

test("law 5: listeners see the cache as they are told, and it is synced only after they handled what was there", async () => {
  await law(() => {
    const told = new Map<ObjectKey, Immutable<Widget>>();
    return {
      changed({ type, object }, { informer }) {
        const key = keyOf(object);
        if (type === "deleted") told.delete(key);
        else told.set(key, object);
        const seen = informer.get(key);
        // The cache may be ahead of a change by those that are told after it, never behind.
        if (type !== "deleted") assert.ok(seen === undefined || seen === object || newer(seen, object));
        else assert.notEqual(seen?.metadata.uid, object.metadata.uid);
      },
      moved(_, { informer }) {
        assert.deepEqual([...told.values()].map(stateName).sort(), informer.list().map(stateName).sort());
      },
      synced({ informer, server }) {
        const now = server.stateAt(server.version);
        for (const [key, due] of server.stateAt(Number(informer.health().resourceVersion))) {
          assert.ok(told.has(key) || now.get(key)?.metadata.uid !== due.metadata.uid, `${key} was not told`);
        }
        assert.deepEqual([...told.values()].map(stateName).sort(), informer.list().map(stateName).sort());
      },
    };
  });
});

test("law 6: a watch never goes on from a version whose changes are not all in the cache", async () => {
  await law(() => ({
    resumed(version, { server, informer }) {
      const then = server.stateAt(version);
      const now = server.stateAt(server.version);
      for (const key of new Set([...then.keys(), ...informer.list().map((object) => keyOf(object))])) {
        const due = then.get(key);
        const seen = informer.get(key);
        if (due !== undefined && seen === undefined) assert.notEqual(now.get(key)?.metadata.uid, due.metadata.uid);
        if (due !== undefined && seen !== undefined) assert.ok(seen.value >= due.value, `${key} was skipped`);
        if (due === undefined && seen !== undefined) assert.ok(seen.value > version, `the end of ${key} was skipped`);
      }
    },
  }));
});

test("law 7: whatever goes wrong with lists and watches, the cache ends as the server is", async () => {
  await law(() => ({
    ended({ server, informer }) {
      const there = [...server.stateAt(server.version).values()].map(stateName).sort();
      assert.deepEqual(informer.list().map(stateName).sort(), there);
      assert.equal(informer.synced, true);
      assert.equal(informer.health().problem, undefined);
    },
  }));
});

test("law 10: a read after an acknowledged write gives that write or something newer", async () => {
  await law(() => {
    const written = new Map<ObjectKey, Immutable<Widget>>();
    const gone = new Set<string>();
    const check = ({ server, informer }: Run): void => {
      for (const [key, object] of written) {
        const seen = informer.get(key);
        const now = server.stateAt(server.version).get(key);
        if (seen === undefined) assert.notEqual(now?.metadata.uid, object.metadata.uid, `${key} is not seen`);
        else assert.ok(seen.value >= object.value, `${stateName(seen)} read after ${stateName(object)}`);
      }
      for (const seen of informer.list()) assert.ok(!gone.has(seen.metadata.uid!), `${stateName(seen)} was removed`);
    };
    return {
      wrote: (object) => void written.set(keyOf(object), object),
      removed(object) {
        written.delete(keyOf(object));
        gone.add(object.metadata.uid!);
      },
      moved: (_, run) => check(run),
      changed: (_, run) => check(run),
      ended: check,
    };
  });
});
