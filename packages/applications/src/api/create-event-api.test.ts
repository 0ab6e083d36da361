import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import type { Access } from "./access/access.ts";
import { createEventApi } from "./create-event-api.ts";
import type { ChangeRecord } from "./history/change-record.ts";
import { createEventHistory } from "./history/open-history.ts";
import { Reader } from "./testing/reader.ts";
import { Planet, Widget, widget } from "./testing/widgets.ts";

const caller = { username: "alice", groups: [] };
const everything: Access = { may: () => Promise.resolve(true) };

async function world(access: Access = everything, maxStreams = 10) {
  const clock = new ManualClock();
  const history = await createEventHistory({ clock, random: seededRandom(4) });
  const api = createEventApi({ resources: [Widget, Planet], history, access, clock, maxStreams });
  await history.record(Widget, [
    { type: "ADDED", object: widget("a", 1) },
    { type: "ADDED", object: widget("b", 2, { namespace: "other" }) },
    { type: "MODIFIED", object: widget("a", 3) },
    { type: "DELETED", object: widget("b", 4, { namespace: "other" }) },
  ]);
  const { namespace: _, ...metadata } = widget("mars", 5).metadata;
  await history.record(Planet, [{ type: "ADDED", object: { ...widget("mars", 5), kind: "Planet", metadata } }]);
  const question = (query: string, headers: Record<string, string> = {}) => ({
    query: new URLSearchParams(query),
    headers,
    signal: new AbortController().signal,
  });
  return {
    api,
    history,
    clock,
    events: async (query = "") => {
      const { body } = await api.events(question(query), caller);
      const text = Buffer.concat(body as Buffer[]).toString();
      const { items, lastEventId } = JSON.parse(text) as { items: ChangeRecord[]; lastEventId: string };
      return { lastEventId, told: items.map(({ type, name }) => `${type} ${name}`) };
    },
    watch: async (query = "", headers: Record<string, string> = {}) =>
      new Reader(await api.watch(question(query, headers), caller)),
  };
}

const refused = (code: number, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StatusError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test("/events tells the newest changes, newest last, and from where a watch goes on", async () => {
  const { events, watch, history } = await world();
  const all = await events();
  assert.deepEqual(all.told, ["ADDED a", "ADDED b", "MODIFIED a", "DELETED b", "ADDED mars"]);
  assert.deepEqual((await events("limit=2")).told, ["DELETED b", "ADDED mars"]);
  await history.record(Widget, [{ type: "ADDED", object: widget("c", 9) }]);
  const reader = await watch(`lastEventId=${all.lastEventId}`);
  assert.deepEqual(
    reader.events.map(({ data }) => data.name),
    ["c"],
  );
});

test("/events filters by kind, namespace, name and type, several of each", async () => {
  const { events } = await world();
  assert.deepEqual((await events("kind=planets")).told, ["ADDED mars"]);
  assert.deepEqual((await events("kind=Widget,Planet&type=added")).told, ["ADDED a", "ADDED b", "ADDED mars"]);
  assert.deepEqual((await events("namespace=other")).told, ["ADDED b", "DELETED b"]);
  assert.deepEqual((await events("namespace=other&namespace=default&name=a")).told, ["ADDED a", "MODIFIED a"]);
  assert.deepEqual((await events("type=DELETED&type=MODIFIED&limit=1")).told, ["DELETED b"]);
});

test("what was there before anybody looked is no event, but a watch tells it", async () => {
  const { events, watch, history } = await world();
  const before = (await events()).lastEventId;
  await history.record(Widget, [{ type: "ADDED", object: widget("old", 9) }], { initial: true });
  assert.ok(!(await events()).told.includes("ADDED old"));
  assert.deepEqual(
    (await watch("", { "last-event-id": before })).events.map(({ data }) => data.name),
    ["old"],
  );
});

test("/watch filters by kind and namespace", async () => {
  const { watch, history } = await world();
  const reader = await watch("kind=Widget&namespace=default");
  await history.record(Widget, [
    { type: "ADDED", object: widget("c", 9, { namespace: "other" }) },
    { type: "ADDED", object: widget("d", 10) },
  ]);
  assert.deepEqual(
    reader.events.map(({ event, data }) => `${event} ${data.name ?? ""}`),
    ["ADDED a", "BOOKMARK ", "ADDED d"],
  );
});

test("what is asked wrongly is refused with 400 and what would be right", async () => {
  const { events, watch } = await world();
  await assert.rejects(events("limit=many"), refused(400, /number from 1 to 1000/));
  await assert.rejects(events("limit=0"), refused(400, /number from 1 to 1000/));
  await assert.rejects(events("type=CHANGED"), refused(400, /ADDED, MODIFIED, DELETED/));
  await assert.rejects(watch("kind=Secret"), refused(400, /those that are: Widget, Planet/));
});

test("a caller sees the kinds and namespaces that it may list or watch, and no others", async () => {
  const asked: string[] = [];
  const access: Access = {
    may: (_caller, verb, { kind }, namespace) => {
      asked.push(`${verb} ${kind} ${namespace}`);
      return Promise.resolve(kind === "Widget" && namespace === "default" && verb === "watch");
    },
  };
  const { watch, events } = await world(access);
  await assert.rejects(watch(), refused(403, /"alice" cannot watch widgets.events.example.com at the cluster scope/));
  await assert.rejects(watch("namespace=default,other"), refused(403, /cannot watch/));
  await assert.rejects(watch("namespace=default&kind=Planet"), refused(403, /planets/));
  await assert.rejects(events("namespace=default"), refused(403, /cannot list/));
  const reader = await watch("namespace=default");
  assert.deepEqual(
    reader.events.map(({ data }) => data.name ?? ""),
    ["a", ""],
  );
  assert.ok(asked.includes("watch Planet "));
});

test("a kind that was left out of a stream stays out, and one that was in it ends it when it is taken away", async () => {
  let allowed = ["Widget"];
  const access: Access = { may: (_caller, _verb, { kind }) => Promise.resolve(allowed.includes(kind)) };
  const { watch, clock } = await world(access);
  const reader = await watch();
  allowed = ["Widget", "Planet"];
  clock.advance(60_000);
  await nextTurn();
  assert.equal(reader.ended, false);
  allowed = ["Planet"];
  clock.advance(60_000);
  await nextTurn();
  assert.equal(reader.ended, true);
});

test("there are so many streams and no more; each that ends makes room", async () => {
  const { watch, api } = await world(everything, 2);
  const [first] = [await watch(), await watch()];
  await assert.rejects(watch(), refused(429, /2 streams/));
  first?.leave();
  assert.equal(api.streams, 1);
  await watch();
});

test("Secrets are not told", async () => {
  const clock = new ManualClock();
  const history = await createEventHistory({ clock, random: seededRandom(5) });
  assert.throws(() => createEventApi({ resources: [core.Secret], history, access: everything, clock }), TypeError);
});
