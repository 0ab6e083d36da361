import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { AnyKind } from "./aws-kind.ts";
import { createBook } from "./book.ts";
import { wishOf } from "./compare.ts";
import { viewOf } from "./resource-view.ts";
import { objectOf, SESSION } from "./testing/observations.ts";
import type { ManagedWorld } from "./world.ts";

const given = { value: () => undefined, version: () => undefined };

/** A resource of one number, which is to be 8 and is left to others; its object has this status. */
function setUp(status: NonNullable<Parameters<typeof objectOf>[1]>["status"] = {}) {
  const clock = new ManualClock();
  const book = createBook(clock);
  const kind = {
    fields: [{ path: "size", change: "in-place", want: () => 8, have: Number }],
    tagsOf: () => ({ "gatewright.dev/uid": "uid-1" }),
    idIn: () => "orders",
    stateOf: () => ({ is: "ready" }),
  } as unknown as AnyKind;
  const drift = { mode: "Repair" as const, ignoreFields: ["size", "tags"] };
  const object = objectOf(
    { management: { mode: "Manage", drift }, tags: { team: "a" } },
    { status: { resource: { id: "orders", ownership: "Created", fields: ["size"] }, ...status } },
  );
  const world = { kind, cluster: "c", clock, book } as unknown as ManagedWorld;
  const differing = (size: number): readonly string[] => {
    const turn = book.turn();
    const reading = { begunAt: clock.monotonic(), session: SESSION.key, id: "orders", declared: undefined };
    book.read("uid-1", { ...reading, turn: book.turn(), seen: { value: size } }, true);
    const view = viewOf({
      world,
      cached: () => assert.fail("nobody else is asked for"),
      object,
      given: { given },
      wish: wishOf(kind, object, given),
      session: SESSION,
      id: "orders",
      page: book.page(object),
      turn,
      lagMs: 30_000,
      doubtMs: 30_000,
      inTime: true,
    });
    assert.ok(view.is === "present");
    const tags = Object.keys(view.tags?.set ?? {}).filter((key) => key === "team");
    return [...(view.comparison?.differences ?? []).map(({ path }) => path), ...tags];
  };
  return { clock, book, object, differing };
}

test("what is left to others is written once to what was made, and to nothing that was as the spec says", () => {
  assert.deepEqual(setUp().differing(7), ["size", "team"]);
  assert.deepEqual(setUp({ lastSyncTime: "2030-01-01T00:00:00Z" }).differing(7), []);
  assert.deepEqual(setUp({ resource: { id: "orders", ownership: "Adopted", fields: ["size"] } }).differing(7), []);
});

test("it counts as written whatever AWS makes of it, and not for what was made after it", () => {
  const { clock, book, object, differing } = setUp();
  book.created(object);
  book.changed(object, new Map([["size", 8]]));
  clock.advance(900_000);
  assert.deepEqual(differing(7), ["team"]);
  book.created(object);
  clock.advance(1);
  assert.deepEqual(differing(7), ["size", "team"]);
});
