import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "@gatewright/ports";
import { createMemoryStore } from "@gatewright/store";
import type { Store } from "@gatewright/store";
import type { ChangeRecord } from "../history/change-record.ts";
import { labelsOf } from "../history/change-record.ts";
import type { EventHistory } from "../history/event-history.ts";
import { storedHistory } from "../history/stored-history.ts";
import type { HistoryValue } from "../history/stored-history.ts";
import { Reader } from "../testing/reader.ts";
import { Widget, widget } from "../testing/widgets.ts";
import { startFrom } from "./position.ts";
import { WatchStream } from "./watch-stream.ts";

type Step =
  | { readonly do: "write"; readonly name: string; readonly gone: boolean }
  | { readonly do: "restart" }
  | { readonly do: "connect" | "disconnect" | "stall" | "drain"; readonly who: number }
  /** The connection breaks before the last frames have arrived. */
  | { readonly do: "cut"; readonly who: number; readonly lost: number };

const READERS = 3;
const who = fc.nat({ max: READERS - 1 });

const name = fc.constantFrom("a", "b", "c");

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("write" as const), name, gone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("connect" as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("disconnect" as const, "stall", "drain"), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cut" as const), who, lost: fc.nat({ max: 4 }) }) },
);

/** One who reads on and off, as a browser does: it keeps what it knows and the last id, and forgets only when it is told to. */
class Subscriber {
  readonly #sees: (name: string) => boolean;
  #stream: Reader | undefined;
  #taken = 0;
  lastEventId = "";
  known = new Map<string, string>();
  /** Places of the changes that it was told one by one since it last started anew, and the place where that was. */
  from: number | undefined;
  told: number[] = [];
  whole = false;

  constructor(sees: (name: string) => boolean) {
    this.#sees = sees;
  }

  connect(world: World): void {
    if (this.#stream && !this.#stream.ended) return;
    const { history, clock } = world;
    const start = startFrom(history, this.lastEventId);
    this.#taken = 0;
    this.#stream = new Reader({
      status: 200,
      headers: {},
      body: {
        start: (sink) =>
          new WatchStream(
            {
              history,
              clock,
              start,
              selected: ({ labels }) => this.#sees(labels?.["name"] ?? ""),
              stillAllowed: () => Promise.resolve(true),
              signal: new AbortController().signal,
              over: () => {},
            },
            sink,
          ).run(),
      },
    });
  }

  /** Takes what has arrived, but for the last `lost` events. */
  read(lost = 0): void {
    const events = this.#stream?.events ?? [];
    for (const { id, event, data } of events.slice(this.#taken, Math.max(this.#taken, events.length - lost))) {
      this.#taken++;
      this.lastEventId = id;
      this.#take(event, id, data as unknown as ChangeRecord);
    }
  }

  #take(event: string, id: string, { name, object }: ChangeRecord): void {
    const [, position, part] = id.split(".");
    if (event === "RESET") {
      this.known.clear();
      this.whole = false;
    } else if (event === "BOOKMARK") {
      if (!this.whole) [this.whole, this.from, this.told] = [true, Number(position), []];
    } else if (part !== undefined) {
      assert.equal(event, "ADDED");
      assert.ok(!this.known.has(name), `${name} is told twice in one state`);
      this.known.set(name, object.metadata.resourceVersion ?? "");
    } else {
      assert.equal(event === "ADDED", !this.known.has(name), `${event} of ${name}`);
      this.told.push(Number(position));
      if (event === "DELETED") this.known.delete(name);
      else this.known.set(name, object.metadata.resourceVersion ?? "");
    }
  }

  stall(slow: boolean): void {
    if (!this.#stream) return;
    this.#stream.slow = slow;
    if (!slow) this.#stream.drain();
  }

  disconnect(lost = 0): void {
    this.read(lost);
    this.#stream?.leave();
    this.#stream = undefined;
  }
}

interface World {
  readonly clock: ManualClock;
  history: EventHistory;
}

test("whatever is written, cut and restarted, a subscriber gets every change once and in order, or is told that it starts anew", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80, size: "max" }),
      fc.integer({ min: 1, max: 8 }),
      async (steps, changes) => {
        const clock = new ManualClock();
        const store: Store<HistoryValue> = createMemoryStore({
          clock,
          values: { labelsOf: (value) => ("object" in value ? labelsOf(value) : undefined) },
        });
        const open = (): Promise<EventHistory> =>
          storedHistory(store, { durable: true, clock, epoch: "e", limits: { changes, bytes: 1e9 } });
        const world: World = { clock, history: await open() };
        const subscribers = [
          new Subscriber(() => true),
          new Subscriber(() => true),
          new Subscriber((name) => name === "a"),
        ];
        /** What really happened: the name of each change, by its place. */
        const truth: string[] = [];
        const objects = new Map<string, string>();
        let version = 0;

        for (const each of steps) {
          if (each.do === "write") {
            version++;
            const uid = `uid-${each.name}`;
            if (each.gone && !objects.has(each.name)) continue;
            if (each.gone) objects.delete(each.name);
            else objects.set(each.name, String(version));
            truth.push(each.name);
            const type = each.gone ? "DELETED" : "MODIFIED";
            await world.history.record(Widget, [{ type, object: widget(each.name, version, { uid }) }]);
          } else if (each.do === "restart") {
            for (const subscriber of subscribers) subscriber.disconnect();
            world.history = await open();
          } else {
            const subscriber = subscribers[each.who]!;
            if (each.do === "connect") subscriber.connect(world);
            else if (each.do === "disconnect") subscriber.disconnect();
            else if (each.do === "cut") subscriber.disconnect(each.lost);
            else subscriber.stall(each.do === "stall");
          }
        }

        for (const [index, subscriber] of subscribers.entries()) {
          subscriber.disconnect();
          subscriber.connect(world);
          subscriber.read();
          const sees = (name: string): boolean => index < 2 || name === "a";
          const expected = truth.map((name, at) => ({ name, position: at + 1 })).filter(({ name }) => sees(name));
          assert.ok(subscriber.whole && subscriber.from !== undefined);
          const from = subscriber.from;
          assert.deepEqual(
            subscriber.told,
            expected.filter(({ position }) => position > from).map(({ position }) => position),
          );
          assert.deepEqual(subscriber.known, new Map([...objects].filter(([name]) => sees(name))));
          subscriber.disconnect();
        }
        assert.equal(clock.pending, 0);
      },
    ),
    { numRuns: 300 },
  );
});
