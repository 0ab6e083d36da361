import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { Planet, Widget, widget } from "../testing/widgets.ts";
import type { ChangeRecord, ObservedChange } from "./change-record.ts";
import type { EventHistory } from "./event-history.ts";
import { createEventHistory, openEventHistory } from "./open-history.ts";

const ports = { clock: new ManualClock(), random: seededRandom(1) };
const added = (name: string, version: number): ObservedChange => ({ type: "ADDED", object: widget(name, version) });

function told(history: EventHistory): string[] {
  return [...history.after(history.floor)].map(({ bytes }) => {
    const { type, name } = JSON.parse(bytes.toString()) as ChangeRecord;
    return `${type} ${name}`;
  });
}

const present = (history: EventHistory): string[] => [...history.present().entries()].map(({ key }) => key);

test("records are numbered without gaps, and say what, when and of what kind", async () => {
  const history = await createEventHistory(ports);
  const object = { ...widget("a", 1), metadata: { ...widget("a", 1).metadata, managedFields: [{ manager: "me" }] } };
  await history.record(Widget, [{ type: "ADDED", object }, added("b", 2)]);
  assert.equal(history.position, 2);
  const [first] = [...history.after(0)];
  const record = JSON.parse(first?.bytes.toString() ?? "") as ChangeRecord;
  assert.equal(record.id, `${history.epoch}.1`);
  assert.equal(record.time, "2030-01-01T00:00:00.000Z");
  assert.equal(record.apiVersion, "events.example.com/v1");
  assert.equal(record.object.metadata.managedFields, undefined);
  assert.deepEqual(
    [...history.after(1)].map(({ key }) => Number(key)),
    [2],
  );
});

test("changes that were recorded already are not recorded again, within one batch and across batches", async () => {
  const history = await createEventHistory(ports);
  await history.record(Widget, [added("a", 1), added("a", 1)]);
  await history.record(Widget, [added("a", 1), { type: "DELETED", object: widget("a", 2) }, added("a", 1)]);
  assert.deepEqual(told(history), ["ADDED a", "DELETED a", "ADDED a"]);
});

test("kinds do not mix, though their objects have the same names", async () => {
  const history = await createEventHistory(ports);
  const { namespace: _, ...metadata } = widget("a", 1).metadata;
  await history.record(Widget, [added("a", 1)], { cursor: { resourceVersion: "1", cluster: "" } });
  await history.record(Planet, [{ type: "ADDED", object: { ...widget("a", 1), kind: "Planet", metadata } }]);
  assert.deepEqual(present(history), ["Planet.events.example.com/a", "Widget.events.example.com/default/a"]);
  assert.equal(history.cursor(Widget, ""), "1");
  assert.equal(history.cursor(Planet, ""), undefined);
  assert.equal(history.cursor(Widget, "another cluster"), undefined);
});

test("the oldest changes go when there are too many, or too much of them; the objects stay", async () => {
  const history = await createEventHistory({ ...ports, limits: { changes: 3 } });
  for (let i = 1; i <= 5; i++) await history.record(Widget, [added(`w${i}`, i)]);
  assert.deepEqual(told(history), ["ADDED w3", "ADDED w4", "ADDED w5"]);
  assert.deepEqual([history.floor, history.position], [2, 5]);
  assert.equal(present(history).length, 5);
  const small = await createEventHistory({ ...ports, limits: { bytes: 10 } });
  await small.record(Widget, [added("a", 1), added("b", 2)]);
  assert.deepEqual(told(small), ["ADDED b"]);
});

test("a present state does not change while it is read", async () => {
  const history = await createEventHistory(ports);
  await history.record(Widget, [added("a", 1)]);
  const state = history.present();
  await history.record(Widget, [added("b", 2)]);
  assert.equal(state.position, 1);
  assert.equal([...state.entries()].length, 1);
});

test("a listener reads a change in the moment it is told of it", async () => {
  const history = await createEventHistory(ports);
  const positions: number[] = [];
  const leave = history.onChange(() => positions.push(history.position));
  await history.record(Widget, [added("a", 1)]);
  await history.record(Widget, [], { cursor: { resourceVersion: "9", cluster: "" } });
  leave();
  await history.record(Widget, [added("b", 2)]);
  assert.deepEqual(positions, [1]);
});

test("a history on disk goes on after a restart: same name, same changes, same objects, same cursor", async (t) => {
  const directory = join(mkdtempSync(join(tmpdir(), "gatewright-events-")), "events");
  t.after(() => rmSync(join(directory, ".."), { recursive: true }));
  const first = await openEventHistory({ ...ports, directory, limits: { changes: 3 } });
  for (let i = 1; i <= 4; i++) {
    await first.record(Widget, [added(`w${i}`, i)], { cursor: { resourceVersion: String(i), cluster: "c" } });
  }
  await first.record(Widget, [{ type: "DELETED", object: widget("w1", 5) }]);
  await first.close();
  const second = await openEventHistory({ ...ports, directory, limits: { changes: 3 } });
  assert.equal(second.epoch, first.epoch);
  assert.deepEqual([second.floor, second.position], [2, 5]);
  assert.equal(second.cursor(Widget, "c"), "4");
  await second.record(Widget, [added("w4", 4), added("w5", 6)]);
  assert.deepEqual(told(second), ["ADDED w4", "DELETED w1", "ADDED w5"]);
  assert.equal(present(second).length, 4);
  assert.deepEqual(
    [...second.after(5)].map(({ labels }) => labels?.["kind"]),
    ["Widget.events.example.com"],
  );
  await second.close();
});
