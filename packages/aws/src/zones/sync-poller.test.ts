import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import type { Route53Calls } from "../services/route53.ts";
import { newOrder } from "./order.ts";
import type { Order } from "./order.ts";
import { ZONE_SETTINGS } from "./settings.ts";
import { SyncPoller } from "./sync-poller.ts";

const SECOND_MS = 1_000;

/** A poller, and a Route 53 that takes as long for each change as is said when it is followed. */
function createPolled() {
  const clock = new ManualClock();
  const doneAt = new Map<string, number>();
  const asked: { readonly id: string; readonly age: number }[] = [];
  const begun = new Map<string, number>();
  const inSync: string[] = [];
  const calls = {
    getChange: async ({ Id = "" }: { readonly Id?: string }) => {
      const now = clock.monotonic();
      asked.push({ id: Id, age: now - (begun.get(Id) ?? now) });
      return { ChangeInfo: { Id, Status: now >= (doneAt.get(Id) ?? Infinity) ? "INSYNC" : "PENDING" } };
    },
  } as unknown as Route53Calls;
  const poller = new SyncPoller(
    { clock, calls, settings: ZONE_SETTINGS },
    { inSync: (orders) => inSync.push(...orders.map(({ key }) => key)), failed: () => {} },
  );
  const orderOf = (key: string, patient: boolean): Order =>
    newOrder("Z1", [{ action: "create", record: { name: `${key}.example.com`, type: "A" } }], {
      key,
      askedAt: 0,
      owner: key,
      patient,
    });
  return {
    poller,
    asked,
    inSync,
    follow: (id: string, takesMs: number, patient = false): void => {
      begun.set(id, clock.monotonic());
      doneAt.set(id, clock.monotonic() + takesMs);
      poller.follow("Z1", id, [orderOf(id, patient)]);
    },
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= SECOND_MS) {
        clock.advance(SECOND_MS);
        for (let turn = 0; turn < 5; turn++) await nextTurn();
      }
    },
  };
}

async function polling(story: (polled: ReturnType<typeof createPolled>) => Promise<void>): Promise<void> {
  const polled = createPolled();
  const stopping = new AbortController();
  const working = polled.poller.work(stopping.signal).catch(() => {}); // ends with the signal
  await story(polled);
  stopping.abort();
  await working;
}

test("how long changes take is learned: the next one is asked for when it may be in sync, not before", () =>
  polling(async ({ follow, pass, asked, inSync }) => {
    follow("first", 40 * SECOND_MS);
    await pass(60 * SECOND_MS);
    assert.deepEqual(inSync, ["first"]);
    const first = asked.length;
    follow("second", 40 * SECOND_MS);
    await pass(60 * SECOND_MS);
    assert.deepEqual(inSync, ["first", "second"]);
    assert.ok(asked.length - first < first, `${asked.length - first} questions after ${first}`);
    const [early] = asked.filter(({ id }) => id === "second");
    assert.ok((early?.age ?? 0) >= 20 * SECOND_MS, `asked after ${early?.age} ms`);
  }));

test("changes that have become quick again are soon asked for earlier", () =>
  polling(async ({ follow, pass, asked }) => {
    follow("slow", 40 * SECOND_MS);
    await pass(60 * SECOND_MS);
    for (let n = 0; n < 5; n++) {
      follow(`quick-${n}`, SECOND_MS);
      await pass(60 * SECOND_MS);
    }
    assert.ok((asked.at(-1)?.age ?? Infinity) <= 7 * SECOND_MS, `asked after ${asked.at(-1)?.age} ms`);
  }));

test("of changes that follow one another the first is asked for, and the others once it is in sync", () =>
  polling(async ({ follow, pass, asked, inSync }) => {
    for (let n = 0; n < 4; n++) {
      follow(`c${n}`, 35 * SECOND_MS);
      await pass(2 * SECOND_MS);
    }
    await pass(90 * SECOND_MS);
    assert.deepEqual(inSync, ["c0", "c1", "c2", "c3"]);
    assert.ok(asked.length <= 10, `${asked.length} questions for 4 changes`);
  }));

test("what was only asked for late teaches nothing: the next one is not asked for too early", () =>
  polling(async ({ follow, pass, asked }) => {
    follow("first", 40 * SECOND_MS);
    await pass(2 * SECOND_MS);
    follow("held back", 40 * SECOND_MS);
    await pass(70 * SECOND_MS);
    follow("next", 40 * SECOND_MS);
    await pass(60 * SECOND_MS);
    const [early] = asked.filter(({ id }) => id === "next");
    assert.ok((early?.age ?? 0) >= 20 * SECOND_MS, `asked after ${early?.age} ms`);
  }));

test("what nobody waits for is asked for once it ought to be in sync, and holds back nothing else", () =>
  polling(async ({ follow, pass, asked, inSync }) => {
    follow("patient", 40 * SECOND_MS, true);
    await pass(2 * SECOND_MS);
    follow("urgent", 10 * SECOND_MS);
    await pass(30 * SECOND_MS);
    assert.deepEqual(inSync, ["urgent"]);
    await pass(60 * SECOND_MS);
    assert.deepEqual(inSync, ["urgent", "patient"]);
    assert.equal(asked.filter(({ id }) => id === "patient").length, 1);
  }));
