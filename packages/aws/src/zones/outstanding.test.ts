import assert from "node:assert/strict";
import { test } from "node:test";
import { outstanding } from "./outstanding.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";

const a = (value: string): RecordSet => ({ name: "x.com", type: "A", ttl: 60, values: [value] });
const cname: RecordSet = { name: "x.com", type: "CNAME", ttl: 60, values: ["y.com"] };
const create = (record: RecordSet): RecordChange => ({ action: "create", record });
const remove = (record: RecordSet): RecordChange => ({ action: "delete", record });
const swap = (from: RecordSet, to: RecordSet): RecordChange => ({ action: "replace", from, to });

/** What is left, or what is in the way. */
function rest(change: RecordChange, ...there: readonly RecordSet[]): readonly (RecordChange | RecordSet)[] {
  const result = outstanding([change], there);
  return "conflict" in result ? result.conflict : result.left;
}

test("what is left of a change depends on what is there", () => {
  const move = swap(a("1"), a("2"));
  const cases: readonly (readonly [RecordChange, readonly RecordSet[], readonly (RecordChange | RecordSet)[]])[] = [
    [create(a("1")), [], [create(a("1"))]],
    [create(a("1")), [a("1")], []],
    [create(a("1")), [a("2")], [a("2")]],
    [create(a("1")), [cname], [create(a("1"))]],
    [remove(a("1")), [], []],
    [remove(a("1")), [a("1")], [remove(a("1"))]],
    [remove(a("1")), [a("2")], [a("2")]],
    [move, [a("1")], [move]],
    [move, [a("2")], []],
    [move, [], [create(a("2"))]],
    [move, [a("3")], [a("3")]],
    [swap(cname, a("1")), [cname], [swap(cname, a("1"))]],
    [swap(cname, a("1")), [a("1")], []],
    [swap(cname, a("1")), [cname, a("1")], [remove(cname)]],
    [swap(cname, a("1")), [], [create(a("1"))]],
    [swap(cname, a("1")), [a("2")], [a("2")]],
  ];
  for (const [change, there, left] of cases)
    assert.deepEqual(rest(change, ...there), left, JSON.stringify([change, there]));
});

test("a set with properties that are not told is never taken for ours", () => {
  const foreign = { ...a("1"), foreign: true } as const;
  assert.deepEqual(rest(create(a("1")), foreign), [foreign]);
  assert.deepEqual(rest(remove(a("1")), foreign), [foreign]);
});
