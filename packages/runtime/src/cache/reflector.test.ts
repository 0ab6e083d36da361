import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Client, WatchEvent, WatchOptions } from "../client/client.ts";
import { createMetrics } from "@gatewright/telemetry";
import { createCache } from "./create-cache.ts";
import type { Cache, Informer } from "./informer.ts";
import { ModelServer, widgets } from "./testing/model-server.ts";
import type { Widget } from "./testing/model-server.ts";

type Watch = (options: WatchOptions<Widget>) => AsyncGenerator<WatchEvent<Widget>, void, undefined>;

interface World {
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly informer: Informer<Widget>;
  readonly metrics: ReturnType<typeof createMetrics>;
}

/** An empty list, followed by watches of the test's own making. */
function world(t: TestContext, watch: Watch): World {
  const clock = new ManualClock();
  const stream = async () => ({ resourceVersion: "10" });
  const client = { for: () => ({ stream, watch }) } as unknown as Client;
  const metrics = createMetrics();
  const cache = createCache({ client, clock, random: seededRandom(), watchList: false, metrics });
  const informer = cache.informer(widgets);
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
    assert.equal(clock.pending, 0);
  });
  return { clock, cache, informer, metrics };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));

const bookmark = (resourceVersion: string): WatchEvent<Widget> => ({
  type: "BOOKMARK",
  resourceVersion,
  initialEventsEnd: false,
});

test("a watch that never says anything is left after a minute and a half", async (t) => {
  let watches = 0;
  const { clock } = world(t, async function* (options) {
    watches++;
    yield* [];
    await aborted(options.signal);
  });
  await turns();
  clock.advance(89_000);
  await turns();
  assert.equal(watches, 1);
  clock.advance(1_000);
  await turns();
  assert.equal(watches, 2);
});

test("a watch that falls silent after bookmarks is left and goes on from the last version", async (t) => {
  const versions: (string | undefined)[] = [];
  const { clock, informer } = world(t, async function* (options) {
    versions.push(options.resourceVersion);
    if (versions.length === 1) yield bookmark("20");
    await aborted(options.signal);
  });
  await turns();
  clock.advance(89_000);
  await turns();
  assert.deepEqual(versions, ["10"]);
  assert.equal(informer.health().silentMs, 89_000);
  clock.advance(2_000);
  await turns();
  assert.deepEqual(versions, ["10", "20"]);
});

test("a server without bookmarks is found out once; then a watch is left when its time is long over", async (t) => {
  const seconds: number[] = [];
  const { clock } = world(t, async function* (options) {
    seconds.push(options.timeoutSeconds ?? 0);
    yield* [];
    await aborted(options.signal);
  });
  await turns();
  clock.advance(90_000);
  await turns();
  const [, second = 0] = seconds;
  assert.ok(second >= 300 && second <= 600);
  clock.advance(second * 1000 + 29_000);
  await turns();
  assert.equal(seconds.length, 2);
  clock.advance(1_000);
  await turns();
  clock.advance(3_200);
  await turns();
  assert.equal(seconds.length, 3);
});

test("objects of another kind are dropped, counted, and do not move the version", async (t) => {
  const { informer, metrics } = world(t, async function* (options) {
    const metadata = { name: "a", resourceVersion: "11" };
    yield { type: "ADDED", object: { apiVersion: "v1", kind: "Gadget", metadata, value: 1 } };
    await aborted(options.signal);
  });
  await turns();
  assert.equal(informer.health().objects, 0);
  assert.equal(informer.health().resourceVersion, "10");
  assert.match(metrics.exposition().body, /gatewright_informer_wrong_kind_total\{.*\} 1/);
});

test("what this process wrote is known to the watch until it has come, and its coming is no change", async (t) => {
  const wrote = (resourceVersion: string): Widget => ({
    apiVersion: "model.test/v1",
    kind: "Widget",
    metadata: { name: "a", uid: "u", resourceVersion },
    value: 1,
  });
  let known: WatchOptions<Widget>["known"];
  let say: (event: WatchEvent<Widget>) => void = () => {};
  const { cache, informer } = world(t, async function* (options) {
    ({ known } = options);
    const said = new Promise<WatchEvent<Widget>>((resolve) => (say = resolve));
    const event = await Promise.race([said, aborted(options.signal)]);
    if (event !== undefined) yield event;
    await aborted(options.signal);
  });
  await turns();
  let changes = 0;
  informer.subscribe(() => void changes++);
  cache.wrote(widgets, wrote("12"));
  cache.wrote(widgets, wrote("11"));
  const kept = informer.get({ name: "a" });
  assert.equal(known?.("12"), kept);
  assert.equal(known?.("11"), undefined);
  assert.equal(changes, 1);
  say({ type: "MODIFIED", object: kept! });
  await turns();
  assert.equal(known?.("12"), undefined);
  assert.equal(informer.health().resourceVersion, "12");
  assert.equal(changes, 1);
});

test("health tells what is wrong while the server cannot be reached, and the cache goes on serving", async (t) => {
  const clock = new ManualClock();
  const server = new ModelServer(clock);
  server.write("a");
  const real = server.client().for(widgets);
  let down = false;
  const client = {
    for: () => ({
      stream: (...list: Parameters<typeof real.stream>) => real.stream(...list),
      async *watch(options: WatchOptions<Widget>) {
        if (down) throw new TypeError("no route");
        yield* real.watch(options);
      },
    }),
  } as unknown as Client;
  const cache = createCache({ client, clock, random: seededRandom(), watchList: false });
  const informer = cache.informer(widgets);
  assert.equal(informer.health().problem, "not started");
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
  });
  await turns();
  assert.deepEqual([informer.synced, informer.health().problem], [true, undefined]);
  down = true;
  clock.advance(600_000);
  await turns();
  assert.equal(informer.health().problem, "no route");
  assert.equal(informer.get("a")?.value, 10);
  server.write("a");
  down = false;
  clock.advance(60_000);
  await turns();
  assert.equal(informer.get("a")?.value, 11);
  assert.equal(informer.health().problem, undefined);
});
