import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { keptCredentials } from "./kept-credentials.ts";
import type { ExpiringCredentials } from "./kept-credentials.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const { signal } = new AbortController();

/** A source whose fetches are answered by hand. */
function bench(lifeMs = HOUR) {
  const clock = new ManualClock();
  const fetches: { give(): void; fail(error: Error): void; readonly signal: AbortSignal }[] = [];
  const source = keptCredentials(
    (asked) =>
      new Promise<ExpiringCredentials>((resolve, reject) => {
        const accessKeyId = `key-${fetches.length + 1}`;
        asked.addEventListener("abort", () => reject(asked.reason));
        fetches.push({
          signal: asked,
          fail: reject,
          give: () =>
            resolve({ credentials: { accessKeyId, secretAccessKey: "secret" }, expires: clock.now() + lifeMs }),
        });
      }),
    { clock, random: seededRandom(1) },
  );
  const key = async (): Promise<string> => (await source(signal)).accessKeyId;
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await nextTurn();
  };
  return { clock, fetches, source, key, settle };
}

test("keys are fetched once for all who ask, and kept until five minutes before their end", async () => {
  const { clock, fetches, key, settle } = bench();
  const asked = Promise.all([key(), key(), key()]);
  await settle();
  fetches[0]?.give();
  assert.deepEqual(await asked, ["key-1", "key-1", "key-1"]);
  clock.advance(HOUR - 5 * MINUTE - 1);
  assert.equal(await key(), "key-1");
  assert.equal(fetches.length, 1);
  clock.advance(1);
  assert.deepEqual(await Promise.all([key(), key()]), ["key-1", "key-1"]);
  assert.equal(fetches.length, 2);
  fetches[1]?.give();
  await settle();
  assert.equal(await key(), "key-2");
});

test("old keys serve while new ones cannot be had, without a storm, and not beyond their end", async () => {
  const { clock, fetches, key, settle } = bench();
  const first = key();
  await settle();
  fetches[0]?.give();
  await first;
  clock.advance(HOUR - 5 * MINUTE);
  for (let seconds = 0; seconds < 280; seconds++) {
    assert.equal(await key(), "key-1");
    fetches.at(-1)?.fail(new Error("down"));
    await settle();
    clock.advance(1_000);
  }
  assert.ok(fetches.length >= 7 && fetches.length <= 16, `${fetches.length} fetches in five minutes`);
  clock.advance(2 * MINUTE);
  const before = fetches.length;
  const ended = assert.rejects(key(), /down/);
  await settle();
  fetches.at(-1)?.fail(new Error("down"));
  await ended;
  for (let times = 0; times < 50; times++) await assert.rejects(key(), /down/);
  assert.equal(fetches.length, before + 1);
  clock.advance(MINUTE);
  const healed = key();
  await settle();
  fetches.at(-1)?.give();
  assert.equal(await healed, `key-${fetches.length}`);
});

test("who stops waiting stops no other; when all have gone the fetch ends and is no failure", async () => {
  const { fetches, source, key, settle } = bench();
  const [one, two] = [new AbortController(), new AbortController()];
  const asked = [source(one.signal), source(two.signal)];
  await settle();
  one.abort(new Error("one left"));
  await assert.rejects(asked[0]!, /one left/);
  assert.equal(fetches[0]?.signal.aborted, false);
  two.abort(new Error("two left"));
  await assert.rejects(asked[1]!, /two left/);
  assert.equal(fetches[0]?.signal.aborted, true);
  const again = key();
  await settle();
  assert.equal(fetches.length, 2);
  fetches[1]?.give();
  assert.equal(await again, "key-2");
});

test("keys that live shortly are used for two thirds of their life", async () => {
  const { clock, fetches, key, settle } = bench(6 * MINUTE);
  const first = key();
  await settle();
  fetches[0]?.give();
  await first;
  clock.advance(4 * MINUTE - 1);
  await key();
  assert.equal(fetches.length, 1);
  clock.advance(1);
  await key();
  assert.equal(fetches.length, 2);
});

test("keys that AWS calls ended are fetched again, however long they live by our clock; new ones are not", async () => {
  const { clock, fetches, source, key, settle } = bench();
  const fetched = async (): Promise<string> => {
    const asked = key();
    await settle();
    fetches.at(-1)?.give();
    return asked;
  };
  assert.equal(await fetched(), "key-1");
  const old = await source(signal);
  source.ended?.(old);
  assert.equal(await key(), "key-1");
  clock.advance(HOUR / 2);
  source.ended?.(old);
  assert.equal(await fetched(), "key-2");
  clock.advance(HOUR / 2);
  source.ended?.(old);
  assert.equal(await key(), "key-2");
  assert.equal(fetches.length, 2);
});
