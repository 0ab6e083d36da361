import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { StreamSink } from "../http/api-request.ts";
import type { Change, ChangeType, Entry } from "../store/store.ts";
import type { Selection } from "./selection.ts";
import { WatchSession, seenAs } from "./watch-session.ts";
import type { WatchPlan } from "./watch-session.ts";

function entry(key: string, revision: number, labels?: Record<string, string>): Entry {
  return { key, revision, bytes: Buffer.from(key), labels };
}

function change(type: ChangeType, now: Entry, previous?: Entry): Change {
  return { type, revision: now.revision, entry: now, previous, frames: new Map() };
}

const everything: Selection = { prefix: "", everything: true, matches: () => true };
const red: Selection = { prefix: "", everything: false, matches: (e) => e.labels?.["colour"] === "red" };

class Reader implements StreamSink {
  readonly got: string[] = [];
  ended = false;
  /** How many writes are taken before the reader asks to wait. */
  room = Number.POSITIVE_INFINITY;
  #drain = (): void => {};

  write(chunk: Buffer): boolean {
    this.got.push(chunk.toString());
    return --this.room > 0;
  }

  end(): void {
    this.ended = true;
  }

  onDrain(listener: () => void): void {
    this.#drain = listener;
  }

  take(count: number): void {
    this.room = count;
    this.#drain();
  }
}

function watch(options: Partial<WatchPlan> = {}, reader = new Reader()) {
  const clock = new ManualClock();
  let listener: (change: Change) => void = () => {};
  const plan: WatchPlan = {
    frames: {
      initial: (e) => Buffer.from(`+${e.key}`),
      change: (type, c) => Buffer.from(`${type} ${c.entry.key}@${c.revision}`),
      bookmark: (revision, ends) => Buffer.from(`${ends ? "END" : "BOOKMARK"}@${revision}`),
    },
    selected: everything,
    initial: undefined,
    initialRevision: 5,
    markEnd: false,
    bookmarks: false,
    timeoutMs: 100_000,
    subscribe(given) {
      listener = given;
      return () => (listener = () => {});
    },
    revision: () => 9,
    clock,
    ...options,
  };
  const session = new WatchSession(plan, reader);
  const stop = session.run();
  return { reader, clock, stop, send: (c: Change) => listener(c) };
}

test("initial objects come first, then the mark of their end, then changes", () => {
  const { reader, send } = watch({ initial: [entry("a", 1), entry("b", 2)].values(), markEnd: true });
  send(change("MODIFIED", entry("a", 6)));
  assert.deepEqual(reader.got, ["+a", "+b", "END@5", "MODIFIED a@6"]);
});

test("a selector turns changes into arrivals and departures", () => {
  const [blue1, red2] = [entry("a", 1, { colour: "blue" }), entry("a", 2, { colour: "red" })];
  assert.equal(seenAs(change("MODIFIED", red2, blue1), red), "ADDED");
  assert.equal(seenAs(change("MODIFIED", blue1, red2), red), "DELETED");
  assert.equal(seenAs(change("MODIFIED", red2, red2), red), "MODIFIED");
  assert.equal(seenAs(change("DELETED", red2, red2), red), "DELETED");
  assert.equal(seenAs(change("DELETED", blue1, blue1), red), undefined);
  assert.equal(seenAs(change("ADDED", entry("other/a", 3)), { ...everything, prefix: "mine/" }), undefined);
});

test("a slow reader gets everything in order, at its own pace", () => {
  const reader = new Reader();
  reader.room = 1;
  const { send } = watch({ initial: [entry("a", 1), entry("b", 2)].values() }, reader);
  send(change("ADDED", entry("c", 6)));
  send(change("ADDED", entry("d", 7)));
  assert.deepEqual(reader.got, ["+a"]);
  reader.take(2);
  assert.deepEqual(reader.got, ["+a", "+b", "ADDED c@6"]);
  reader.take(9);
  assert.deepEqual(reader.got, ["+a", "+b", "ADDED c@6", "ADDED d@7"]);
});

test("a reader that falls too far behind is cut off", () => {
  const reader = new Reader();
  reader.room = 1;
  const { send } = watch({}, reader);
  for (let i = 0; i < 20_000 && !reader.ended; i++) send(change("ADDED", entry(`k${i}`, i)));
  assert.equal(reader.ended, true);
  assert.equal(reader.got.length, 1);
});

const MIB = Buffer.alloc(1024 * 1024);
const large = (revision: number): Change => {
  const version = (of: number): Entry => ({ ...entry("large", of), bytes: MIB });
  return change("MODIFIED", version(revision), version(revision - 1));
};

test("a reader that lets too much wait is cut off, however few the changes", () => {
  const reader = new Reader();
  reader.room = 1;
  const { send, clock } = watch({}, reader);
  let sent = 0;
  while (sent < 1000 && !reader.ended) send(large(++sent));
  assert.equal(reader.ended, true);
  assert.equal(sent, 50, "48 MiB wait, each with what was before it, and one is on its way");
  assert.equal(clock.pending, 0);
});

test("a reader that takes what waits for it may go on for ever", () => {
  const reader = new Reader();
  const { send } = watch({}, reader);
  for (let revision = 1; revision < 1000; revision++) {
    if (revision % 40 === 1) reader.room = 1;
    send(large(revision));
    if (revision % 40 === 0) reader.take(100);
  }
  assert.equal(reader.ended, false);
});

test("a reader that resumes is told all that it missed, and cut off by a later change if it does not read", () => {
  const resumed = (missed: number) => {
    const reader = new Reader();
    reader.room = 1;
    let tell: (change: Change) => void = () => {};
    const subscribe: WatchPlan["subscribe"] = (listener) => {
      tell = listener;
      for (let revision = 1; revision <= missed; revision++) listener(large(revision));
      return () => {};
    };
    watch({ subscribe }, reader);
    return { reader, tell };
  };
  const window = resumed(32);
  window.tell(large(33));
  window.reader.take(100);
  assert.deepEqual([window.reader.ended, window.reader.got.length], [false, 33]);
  const more = resumed(200);
  assert.equal(more.reader.ended, false);
  more.tell(large(201));
  assert.equal(more.reader.ended, true);
});

test("frames that have to be waited for keep their order", async () => {
  const { reader, send } = watch({
    frames: {
      initial: (e) => Buffer.from(e.key),
      change: (_, c) => (c.revision % 2 === 0 ? Promise.resolve(Buffer.from(c.entry.key)) : Buffer.from(c.entry.key)),
      bookmark: () => Buffer.from("B"),
    },
  });
  for (let i = 1; i <= 6; i++) send(change("ADDED", entry(`k${i}`, i)));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(reader.got, ["k1", "k2", "k3", "k4", "k5", "k6"]);
});

test("bookmarks come every minute and shortly before the end, and only where asked for", () => {
  const { reader, clock } = watch({ bookmarks: true, timeoutMs: 100_000 });
  clock.advance(60_000);
  assert.deepEqual(reader.got, ["BOOKMARK@9"]);
  clock.advance(40_000);
  assert.equal(reader.ended, true);
  assert.equal(clock.pending, 0);
  const quiet = watch();
  quiet.clock.advance(100_000);
  assert.deepEqual(quiet.reader.got, []);
});

test("a bookmark never overtakes a change that is still on its way", () => {
  const reader = new Reader();
  const { send, clock } = watch({ bookmarks: true }, reader);
  reader.room = 1;
  send(change("ADDED", entry("a", 6)));
  send(change("ADDED", entry("b", 7)));
  clock.advance(60_000);
  assert.deepEqual(reader.got, ["ADDED a@6"]);
  reader.take(9);
  clock.advance(38_000);
  assert.deepEqual(reader.got, ["ADDED a@6", "ADDED b@7", "BOOKMARK@9"]);
});

test("a session that is left keeps no timers and writes no more", () => {
  const { reader, clock, stop, send } = watch({ bookmarks: true });
  assert.notEqual(stop, "expired");
  if (stop !== "expired") stop();
  send(change("ADDED", entry("a", 6)));
  clock.advance(1_000_000);
  assert.deepEqual(reader.got, []);
  assert.equal(clock.pending, 0);
});
