import assert from "node:assert/strict";
import { test } from "node:test";
import { nextBatch } from "./next-batch.ts";
import { newOrder } from "./order.ts";
import type { Order } from "./order.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";

const ROOM = { elements: 4, characters: 100 };
const record = (name: string, type = "A", values: readonly string[] = ["10.0.0.1"]): RecordSet => ({
  name,
  type,
  ttl: 60,
  values,
});
const create = (...args: Parameters<typeof record>): RecordChange => ({ action: "create", record: record(...args) });
const remove = (...args: Parameters<typeof record>): RecordChange => ({ action: "delete", record: record(...args) });
const order = (key: string, ...changes: RecordChange[]): Order =>
  newOrder("Z", changes, { key, askedAt: 0, owner: "o" });
const keys = (orders: readonly Order[]): string => orders.map(({ key }) => key).join("");

test("orders are taken in turn, are never split, and none overtakes one that found no room", () => {
  const queue = [
    order("a", create("a")),
    order("b", create("b"), create("b2")),
    order("c", create("c", "A", ["1", "2"])),
  ];
  const { batch, later, full } = nextBatch([...queue, order("d", create("d"))], [], ROOM);
  assert.deepEqual([keys(batch), keys(later), full], ["ab", "cd", true]);
});

test("characters count too", () => {
  const long = (key: string): Order => order(key, create(key, "TXT", ["x".repeat(60)]));
  const { batch, later, full } = nextBatch([long("a"), long("b")], [], ROOM);
  assert.deepEqual([keys(batch), keys(later), full], ["a", "b", true]);
});

test("of two orders about a set the second waits for the next batch; others go on", () => {
  const { batch, later, full } = nextBatch(
    [order("a", create("x")), order("b", remove("x")), order("c", create("y")), order("d", create("x", "TXT"))],
    [],
    ROOM,
  );
  // d must not come before b, which takes something away from the name.
  assert.deepEqual([keys(batch), keys(later), full], ["ac", "bd", false]);
});

test("new sets of different types of a name go together", () => {
  const { batch } = nextBatch([order("a", create("x")), order("b", create("x", "AAAA", ["::1"]))], [], ROOM);
  assert.equal(keys(batch), "ab");
});

test("an order waits for one that is to be sent again", () => {
  const { batch, later } = nextBatch(
    [order("b", create("x", "TXT")), order("c", create("y"))],
    [order("a", create("x"))],
    ROOM,
  );
  assert.deepEqual([keys(batch), keys(later)], ["c", "b"]);
});
