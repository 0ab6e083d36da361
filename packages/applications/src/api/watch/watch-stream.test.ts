import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import type { ObservedChange } from "../history/change-record.ts";
import type { EventHistory, HistoryLimits } from "../history/event-history.ts";
import { createEventHistory } from "../history/open-history.ts";
import { Reader } from "../testing/reader.ts";
import { Widget, widget } from "../testing/widgets.ts";
import { startFrom } from "./position.ts";
import { WatchStream } from "./watch-stream.ts";
import type { WatchPlan } from "./watch-stream.ts";

const added = (name: string, version: number): ObservedChange => ({ type: "ADDED", object: widget(name, version) });

async function world(limits: Partial<HistoryLimits> = {}) {
  const clock = new ManualClock();
  const history = await createEventHistory({ clock, random: seededRandom(2), limits });
  const state = { open: 0, allowed: true as boolean | Error };
  const read = (lastEventId = "", options: { slow?: boolean } & Partial<WatchPlan> = {}): Reader =>
    new Reader(
      {
        status: 200,
        headers: {},
        body: {
          start: (sink) => {
            state.open++;
            const plan: WatchPlan = {
              history,
              clock,
              start: startFrom(history, lastEventId),
              selected: () => true,
              stillAllowed: async () => {
                if (state.allowed instanceof Error) throw state.allowed;
                return state.allowed;
              },
              signal: new AbortController().signal,
              over: () => void state.open--,
              ...options,
            };
            return new WatchStream(plan, sink).run();
          },
        },
      },
      options,
    );
  return { clock, history, state, read };
}

const names = (reader: Reader): string[] =>
  reader.events.map(({ event, data }) => `${event} ${data.name ?? ""}`.trim());
const record = (history: EventHistory, ...changes: ObservedChange[]): Promise<void> => history.record(Widget, changes);

test("a new reader gets what is there, a bookmark, and then what changes", async () => {
  const { history, read } = await world();
  await record(history, added("a", 1));
  const reader = read();
  await record(history, { type: "MODIFIED", object: widget("a", 2) }, { type: "DELETED", object: widget("a", 3) });
  assert.deepEqual(names(reader), ["ADDED a", "BOOKMARK", "MODIFIED a", "DELETED a"]);
  assert.equal(reader.events[0]?.data["initial"], true);
  assert.ok(reader.text.startsWith("retry: 2000\n\n"));
  assert.deepEqual(
    reader.events.map(({ id }) => id.replace(history.epoch, "")),
    [".1.part", ".1", ".2", ".3"],
  );
});

test("a reader that comes back gets what it missed and nothing else", async () => {
  const { history, read } = await world();
  await record(history, added("a", 1), added("b", 2), added("c", 3));
  assert.deepEqual(names(read(`${history.epoch}.1`)), ["ADDED b", "ADDED c"]);
  assert.deepEqual(names(read(`${history.epoch}.3`)), []);
});

test("a reader whose id is too old, of another history or of a state that was not whole is told so and starts anew", async () => {
  const { history, read } = await world({ changes: 2 });
  for (let i = 1; i <= 4; i++) await record(history, added(`w${i}`, i));
  const anew = ["RESET", "ADDED w1", "ADDED w2", "ADDED w3", "ADDED w4", "BOOKMARK"];
  for (const [id, reason] of [
    [`${history.epoch}.1`, "Expired"],
    ["abc.3", "Unknown"],
    [`${history.epoch}.5`, "Unknown"],
    ["no id at all", "Unknown"],
    [`${history.epoch}.4.part`, "Incomplete"],
  ] as const) {
    const reader = read(id);
    assert.deepEqual(names(reader), anew, id);
    assert.equal(reader.events[0]?.data["reason"], reason, id);
  }
  assert.deepEqual(names(read(`${history.epoch}.2`)), ["ADDED w3", "ADDED w4"]);
});

test("nothing waits for a slow reader: it reads on from the history, or starts anew when that has gone on", async () => {
  const { history, read } = await world({ changes: 10 });
  const reader = read("", { slow: true });
  for (let i = 1; i <= 10; i++) await record(history, added(`w${i}`, i));
  assert.equal(reader.frames, 1);
  reader.slow = false;
  reader.drain();
  assert.equal(reader.events.length, 11);
  reader.slow = true;
  for (let i = 11; i <= 100; i++) await record(history, added(`w${i}`, i));
  const before = reader.frames;
  assert.ok(before <= 13, `${before} frames were pushed upon a reader that takes none`);
  reader.slow = false;
  reader.drain();
  assert.equal(names(reader).filter((name) => name === "RESET").length, 1);
  assert.equal(new Set(names(reader).filter((name) => name.startsWith("ADDED"))).size, 100);
});

test("a reader that takes nothing for a minute is cut off", async () => {
  const { clock, history, state, read } = await world();
  await record(history, added("a", 1), added("b", 2));
  const reader = read("", { slow: true });
  clock.advance(59_000);
  assert.equal(reader.ended, false);
  clock.advance(1_000);
  assert.equal(reader.ended, true);
  assert.equal(state.open, 0);
  assert.equal(clock.pending, 0);
});

test("a quiet stream has heartbeats, and bookmarks while others' changes go by", async () => {
  const { clock, history, read } = await world();
  const reader = read("", { selected: ({ labels }) => labels?.["name"] === "mine" });
  clock.advance(15_000);
  assert.ok(reader.text.endsWith("\n\n: still here\n\n"), reader.text);
  await record(history, added("theirs", 1));
  clock.advance(15_000);
  assert.deepEqual(names(reader), ["BOOKMARK", "BOOKMARK"]);
  assert.equal(reader.lastEventId, `${history.epoch}.1`);
});

test("a stream ends when its reader may no longer see it, or when nobody can say", async () => {
  for (const now of [false, new Error("the API server is away")]) {
    const { clock, state, read } = await world();
    const reader = read();
    clock.advance(60_000);
    await nextTurn();
    assert.equal(reader.ended, false);
    state.allowed = now;
    clock.advance(60_000);
    await nextTurn();
    assert.equal(reader.ended, true);
    assert.equal(clock.pending, 0);
  }
});

test("a reader that leaves, or whose request aborts, leaves nothing behind", async () => {
  const { clock, history, state, read } = await world();
  const gone = new AbortController();
  const [left, aborted] = [read(), read("", { signal: gone.signal })];
  left.leave();
  left.leave();
  gone.abort();
  assert.equal(aborted.ended, true);
  assert.equal(state.open, 0);
  assert.equal(clock.pending, 0);
  await record(history, added("a", 1));
  assert.deepEqual(names(left), ["BOOKMARK"]);
});
