import assert from "node:assert/strict";
import { test } from "node:test";
import { newOrder } from "./order.ts";
import type { Order } from "./order.ts";
import type { RecordSet } from "./record-set.ts";
import { sortOut } from "./sort-out.ts";
import type { SentOrders, SortTools } from "./sort-out.ts";

const record = (name: string, value = "10.0.0.1"): RecordSet => ({ name, type: "A", ttl: 60, values: [value] });
const order = (key: string, value?: string): Order =>
  newOrder("Z", [{ action: "create", record: record(`${key}.com`, value) }], { key, askedAt: 0, owner: "o" });
const keys = (orders: readonly Order[]): string => orders.map(({ key }) => key).join("");

/** Sorts orders of a zone that has these sets: who is done, who is refused, and the groups that are sent again. */
async function sorted(
  sent: SentOrders,
  said: string,
  there: readonly RecordSet[] = [],
  precedent?: SortTools["precedent"],
) {
  const asked: string[] = [];
  const read: SortTools["read"] = async (names) => {
    asked.push(...names);
    return new Map(names.map((name) => [name, there.filter((each) => each.name === name)]));
  };
  const { done, refused, groups } = await sortOut(sent, said, { read, precedent });
  return { done: keys(done), refused: keys(refused.map((each) => each.order)), groups: groups.map(keys), asked };
}

const exists = (...names: readonly string[]): string =>
  `[${names.map((name) => `Tried to create resource record set [name='${name}.com.', type='A'] but it already exists`).join(", ")}]`;

test("who is named is looked up: done, refused, or in doubt; the others are sent at once", async () => {
  const orders = [..."abcde"].map((key) => order(key));
  const there = [record("a.com"), record("b.com", "10.9.9.9")];
  assert.deepEqual(await sorted({ orders, unsure: false }, exists("a", "b", "c"), there), {
    done: "a",
    refused: "b",
    groups: ["de", "c"],
    asked: ["a.com", "b.com", "c.com"],
  });
});

test("when an answer was lost, all are looked up: words may be cut off", async () => {
  const orders = [..."abc"].map((key) => order(key));
  const { done, groups } = await sorted({ orders, unsure: true }, exists("a"), [record("a.com"), record("b.com")]);
  assert.deepEqual([done, groups], ["ab", ["c"]]);
});

test("when nobody is named, halves are tried, until one stands alone", async () => {
  const orders = [..."abc"].map((key) => order(key));
  const halved = await sorted({ orders, unsure: false }, "something new");
  assert.deepEqual([halved.groups, halved.asked], [["ab", "c"], []]);
  const alone = await sorted({ orders: orders.slice(0, 1), unsure: false }, "something new");
  assert.deepEqual([alone.refused, alone.groups], ["a", []]);
});

test("when all are named and nothing explains it, halves are tried too", async () => {
  const orders = [order("a", "1.1"), order("b", "1.1")];
  const { groups, refused } = await sorted(
    { orders, unsure: false },
    "[Invalid Resource Record: encountered with '1.1']",
  );
  assert.deepEqual([groups, refused], [["a", "b"], ""]);
});

test("an order that AWS says exists and nobody sees is tried thrice", async () => {
  const one = order("a");
  const ends: string[] = [];
  for (let tries = 0; tries < 3; tries++)
    ends.push((await sorted({ orders: [one], unsure: false }, exists("a"))).refused);
  assert.deepEqual(ends, ["", "", "a"]);
});

test("where one found no room, those that need as much are not tried one by one", async () => {
  const said = "[Number of records limit of 10000 exceeded.]";
  const gone = newOrder("Z", [{ action: "delete", record: record("d.com") }], { key: "d", askedAt: 0, owner: "o" });
  const orders = [order("a"), order("b"), gone];
  const { refused, groups } = await sorted({ orders, unsure: false }, said, [], { message: said, growth: 1 });
  assert.deepEqual([refused, groups], ["ab", ["d"]]);
});
