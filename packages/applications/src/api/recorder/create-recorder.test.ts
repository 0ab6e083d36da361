import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createApiServer, createMemoryStore } from "@gatewright/apiserver";
import { ManualClock, nextTurn, seededRandom, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { createClient } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";
import type { ChangeRecord } from "../history/change-record.ts";
import type { EventHistory } from "../history/event-history.ts";
import { createEventHistory } from "../history/open-history.ts";
import { Planet, Widget, defineWidgets } from "../testing/widgets.ts";
import { createRecorder } from "./create-recorder.ts";

const random = seededRandom(3);

async function server(options: { readonly window?: number } = {}) {
  const clock = systemClock;
  const { window = 1_000 } = options;
  const store = createMemoryStore({ clock, window: { changes: window, keepAtLeast: window } });
  const api = await createApiServer({ clock, random, store });
  const transport: Transport = api.transport();
  const client = createClient(transport, { clock, random });
  await defineWidgets(client);
  await api.idle();
  return { api, client, transport, [Symbol.asyncDispose]: () => api.close() };
}

function start(client: Client, history: EventHistory, clock: Clock = systemClock) {
  const stop = new AbortController();
  const recorder = createRecorder({ client, resources: [Widget, Planet], history, clock });
  const done = recorder.run(stop.signal);
  return {
    recorder,
    async stop() {
      stop.abort();
      await done;
    },
  };
}

async function until(truth: () => boolean): Promise<void> {
  const end = systemClock.monotonic() + 30_000;
  while (!truth()) {
    if (systemClock.monotonic() > end) throw new Error("it never came true");
    await nextTurn();
  }
}

const records = (history: EventHistory): ChangeRecord[] =>
  [...history.after(history.floor)].map(({ bytes }) => JSON.parse(bytes.toString()) as ChangeRecord);
const told = (history: EventHistory): string[] => records(history).map(({ type, name }) => `${type} ${name}`);
const metadata = (name: string) => ({ name, namespace: "default" });

test("follows kinds into the history; what was there before is marked as such", async () => {
  await using world = await server();
  const widgets = world.client.for(Widget);
  await widgets.create({ metadata: metadata("old") });
  const history = await createEventHistory({ clock: systemClock, random });
  const running = start(world.client, history);
  assert.match(running.recorder.check.problem() ?? "", /Widget\.events\.example\.com/);
  await until(() => running.recorder.check.problem() === undefined);
  const made = await widgets.create({ metadata: metadata("new"), spec: { size: 1 } });
  await widgets.update({ ...made, spec: { size: 2 } });
  await widgets.delete(metadata("new"));
  await world.client.for(Planet).create({ metadata: { name: "mars" } });
  await until(() => history.position >= 5);
  await running.stop();
  const known = records(history).filter(({ kind }) => kind === "Widget");
  assert.deepEqual(
    known.map(({ type, name, initial = false }) => [type, name, initial]),
    [
      ["ADDED", "old", true],
      ["ADDED", "new", false],
      ["MODIFIED", "new", false],
      ["DELETED", "new", false],
    ],
  );
  assert.ok(told(history).includes("ADDED mars"));
});

test("after a restart it goes on where it was: what happened meanwhile is recorded one by one, nothing twice", async () => {
  await using world = await server();
  const widgets = world.client.for(Widget);
  const history = await createEventHistory({ clock: systemClock, random });
  const first = start(world.client, history);
  await widgets.create({ metadata: metadata("a") });
  await until(() => history.position === 1);
  await first.stop();
  await widgets.patch(metadata("a"), { merge: { spec: { size: 1 } } });
  await widgets.patch(metadata("a"), { merge: { spec: { size: 2 } } });
  await widgets.delete(metadata("a"));
  const second = start(world.client, history);
  await until(() => history.position >= 4);
  await second.stop();
  assert.deepEqual(told(history), ["ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a"]);
});

test("when the server no longer reaches back, it lists and records the differences, deletions included", async () => {
  await using world = await server({ window: 2 });
  const widgets = world.client.for(Widget);
  const history = await createEventHistory({ clock: systemClock, random });
  const first = start(world.client, history);
  await widgets.create({ metadata: metadata("a") });
  await widgets.create({ metadata: metadata("b") });
  await until(() => history.position === 2);
  await first.stop();
  await widgets.delete(metadata("a"));
  for (let size = 1; size <= 10; size++) await widgets.patch(metadata("b"), { merge: { spec: { size } } });
  const second = start(world.client, history);
  await until(() => history.position >= 4);
  await second.stop();
  assert.deepEqual(told(history).slice(2).sort(), ["DELETED a", "MODIFIED b"]);
  assert.equal(records(history).at(-1)?.initial, undefined);
});

test("a history that cannot be written for a while misses nothing: the watch begins again where it stands", async () => {
  await using world = await server();
  const widgets = world.client.for(Widget);
  const history = await createEventHistory({ clock: systemClock, random });
  let full = false;
  let refused = 0;
  const record = history.record.bind(history);
  history.record = (...args) => {
    if (!full) return record(...args);
    refused++;
    return Promise.reject(new Error("the disk is full"));
  };
  const running = start(world.client, history);
  await until(() => running.recorder.check.problem() === undefined);
  await widgets.create({ metadata: metadata("a") });
  await until(() => history.position === 1);
  full = true;
  for (const name of ["b", "c", "d"]) await widgets.create({ metadata: metadata(name) });
  await until(() => refused > 0);
  full = false;
  await until(() => history.position >= 4);
  await running.stop();
  assert.deepEqual(told(history), ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]);
});

test("a server that is away is tried again, less and less often", async () => {
  const clock = new ManualClock();
  let asked = 0;
  const transport: Transport = () => {
    asked++;
    return Promise.reject(new Error("nobody is there"));
  };
  const client = createClient(transport, { clock, random, retry: false });
  const history = await createEventHistory({ clock, random });
  const running = start(client, history, clock);
  for (let i = 0; i < 20; i++) {
    await nextTurn();
    clock.advance(60_000);
  }
  assert.ok(asked >= 20 && asked <= 100, `${asked} requests in 20 steps`);
  await running.stop();
  assert.equal(clock.pending, 0);
});

test("any order of writes, stops and starts: the history ends with what the server has, and no version is in it twice", async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant("put" as const), name: fc.constantFrom("a", "b", "c") }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name: fc.constantFrom("a", "b", "c") }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("stop" as const, "start", "breathe") }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), fc.boolean(), async (steps, forgetful) => {
      await using world = await server({ window: forgetful ? 3 : 1_000 });
      const widgets = world.client.for(Widget);
      const history = await createEventHistory({ clock: systemClock, random });
      let running: ReturnType<typeof start> | undefined = start(world.client, history);
      const there = new Set<string>();
      let size = 0;
      let writes = 0;
      for (const each of steps) {
        if (each.do === "put") {
          if (there.has(each.name)) await widgets.patch(metadata(each.name), { merge: { spec: { size: ++size } } });
          else await widgets.create({ metadata: metadata(each.name) });
          there.add(each.name);
          writes++;
        } else if (each.do === "delete") {
          if (!there.delete(each.name)) continue;
          await widgets.delete(metadata(each.name));
          writes++;
        } else if (each.do === "stop") {
          await running?.stop();
          running = undefined;
        } else if (each.do === "start") {
          running ??= start(world.client, history);
        } else {
          await nextTurn();
        }
      }
      running ??= start(world.client, history);
      const { items } = await widgets.list();
      const wanted = items.map((object) => `${object.metadata.uid} ${object.metadata.resourceVersion}`).sort();
      const known = (): string[] =>
        [...history.known(Widget)].map(({ metadata: { uid, resourceVersion } }) => `${uid} ${resourceVersion}`).sort();
      await until(() => JSON.stringify(known()) === JSON.stringify(wanted));
      await running.stop();
      const versions = records(history).map(
        ({ type, object: { metadata: m } }) => `${type === "DELETED" ? type : ""} ${m.uid} ${m.resourceVersion}`,
      );
      assert.equal(new Set(versions).size, versions.length);
      assert.ok(versions.length <= writes);
      const relisted = records(history).some(({ initial }) => initial === true);
      if (!forgetful && !relisted) assert.equal(versions.length, writes);
    }),
    { numRuns: 25 },
  );
});
