import assert from "node:assert/strict";
import { test } from "node:test";
import { AwsCallError } from "@gatewright/aws";
import { ManualClock, PassingTime } from "@gatewright/ports";
import type { AnyKind } from "./aws-kind.ts";
import { createBook } from "./book.ts";
import { createReads } from "./reads.ts";
import { objectOf, SESSION } from "./testing/observations.ts";

const INTERVAL = 600_000;
const { signal } = new AbortController();

/** A kind whose resources are their ids, tagged with the uid of the same number; those of `gone` are absent. */
function setUp(gone: ReadonlySet<string> = new Set(), more: Partial<AnyKind> = {}) {
  const clock = new ManualClock();
  const time = new PassingTime(clock);
  const book = createBook(clock);
  const calls: (readonly string[])[] = [];
  const kind = {
    stateOf: () => ({ is: "ready" }),
    tagsOf: (seen: unknown) => ({ "gatewright.dev/uid": `uid-${String(seen)}` }),
    async readMany(_: unknown, ids: readonly string[]) {
      calls.push(ids);
      return new Map(ids.filter((id) => !gone.has(id)).map((id) => [id, id]));
    },
    async read(_: unknown, id: string) {
      calls.push([`${id} alone`]);
      return id;
    },
    ...more,
  } as unknown as AnyKind;
  const reads = createReads(kind, book, clock);
  const object = (id: string) => ({ ...objectOf(), metadata: { ...objectOf().metadata, uid: `uid-${id}` } });
  const read = (id: string, stop = signal) =>
    reads.read({ object: object(id), session: SESSION, id, declared: new Set(), intervalMs: INTERVAL }, stop);
  const passing = async (work: Promise<unknown>): Promise<void> => {
    let done = false;
    void work.finally(() => (done = true));
    await time.until("done", () => done);
  };
  return { clock, book, calls, read, passing, object };
}

test("those who want to be read at about the same time are read with one call", async () => {
  const { calls, read, passing, book, object } = setUp(new Set(["2"]));
  await passing(Promise.all(["1", "2", "3"].map((id) => read(id))));
  assert.deepEqual(calls, [["1", "2", "3"]]);
  assert.deepEqual(book.page(object("1")).reading?.seen, { value: "1" });
  assert.equal(book.page(object("2")).reading?.seen, undefined);
  assert.notEqual(book.page(object("2")).missedSince, undefined);
});

test("what has ended is absent, also when it is read alone, and it is known why", async () => {
  const stateOf: AnyKind["stateOf"] = (seen) =>
    seen === "2" ? { is: "ended", message: "no volume" } : { is: "ready" };
  for (const mostAtOnce of [100, 1_000]) {
    const { read, passing, book, object } = setUp(new Set(), { stateOf, mostAtOnce });
    await passing(read("2"));
    const { reading, missedSince } = book.page(object("2"));
    assert.deepEqual([reading?.seen, reading?.why], [undefined, "no volume"]);
    assert.notEqual(missedSince, undefined);
    await passing(read("1"));
    assert.equal(book.page(object("1")).reading?.why, undefined);
  }
});

test("who is read later takes those along that will be due", async () => {
  const { calls, read, passing, clock, book, object } = setUp();
  await passing(Promise.all(["1", "2", "3"].map((id) => read(id))));
  clock.advance(INTERVAL);
  const before = book.page(object("3")).reading?.begunAt ?? 0;
  await passing(read("1"));
  assert.deepEqual(calls[1], ["1", "2", "3"]);
  assert.ok((book.page(object("3")).reading?.begunAt ?? 0) > before);
});

test("that who began a batch was told to stop does not stop those who joined", async () => {
  const { calls, read, passing, book, object } = setUp();
  const stopping = new AbortController();
  const first = assert.rejects(read("1", stopping.signal));
  const second = read("2");
  stopping.abort();
  await passing(Promise.all([first, second]));
  assert.deepEqual(calls, [["2"]]);
  assert.deepEqual(book.page(object("2")).reading?.seen, { value: "2" });
});

test("a thousand are read a hundred at a time", async () => {
  const { calls, read, passing } = setUp();
  await passing(Promise.all(Array.from({ length: 1_000 }, (_, n) => read(String(n)))));
  assert.equal(calls.length, 10);
});

test("a kind that reads all there are is asked once for however many, and for one alone reads that one", async () => {
  const { calls, read, passing } = setUp(new Set(), { mostAtOnce: Number.POSITIVE_INFINITY });
  await passing(read("0"));
  const many = Array.from({ length: 250 }, (_, at) => String(at + 1));
  await passing(Promise.all(many.map((id) => read(id))));
  assert.deepEqual(calls, [["0 alone"], many]);
});

/** A kind that refuses every call that names `bad`, and tells so with this code. */
function refusing(code: string) {
  const refuse = (calls: (readonly string[])[], ids: readonly string[], call: readonly string[]): void => {
    calls.push(call);
    if (!ids.includes("bad")) return;
    throw new AwsCallError({
      kind: code === "RequestLimitExceeded" ? "throttled" : "terminal",
      code,
      message: "no",
      service: "ec2",
      operation: "DescribeInstances",
    });
  };
  const calls: (readonly string[])[] = [];
  const set = setUp(new Set(), {
    async readMany(_: unknown, ids: readonly string[]) {
      refuse(calls, ids, ids);
      return new Map(ids.map((id) => [id, id]));
    },
    async read(_: unknown, id: string) {
      refuse(calls, [id], [`${id} alone`]);
      return id;
    },
  });
  const told = async (ids: readonly string[]): Promise<readonly string[]> => {
    const all = Promise.allSettled(ids.map((id) => set.read(id)));
    await set.passing(all);
    return (await all).flatMap(({ status }, at) => (status === "rejected" ? [ids[at] ?? ""] : []));
  };
  return { ...set, calls, told };
}

test("an id that AWS refuses fails the read of its object, and of no other", async () => {
  const { calls, told, book, object } = refusing("InvalidInstanceID.Malformed");
  assert.deepEqual(await told(["1", "bad", "2"]), ["bad"]);
  assert.deepEqual(calls, [["1", "bad", "2"], ["1 alone"], ["bad alone"], ["2 alone"]]);
  assert.deepEqual(book.page(object("2")).reading?.seen, { value: "2" });
  assert.equal(book.page(object("bad")).reading, undefined);
});

test("of several batches only the one with the refused id is read one by one, wherever it is", async () => {
  for (const [at, alone] of [
    [0, 100],
    [100, 1],
  ] as const) {
    const { calls, told } = refusing("InvalidInstanceID.Malformed");
    const ids = Array.from({ length: 101 }, (_, n) => (n === at ? "bad" : String(n)));
    assert.deepEqual(await told(ids), ["bad"]);
    assert.equal(calls.filter(([id]) => id?.endsWith("alone")).length, alone);
    assert.equal(calls.length, 2 + alone);
  }
});

test("what is denied or held back is so for all: nobody asks alone", async () => {
  for (const code of ["UnauthorizedOperation", "RequestLimitExceeded"]) {
    const { calls, told } = refusing(code);
    assert.deepEqual(await told(["1", "bad"]), ["1", "bad"]);
    assert.deepEqual(calls, [["1", "bad"]]);
  }
});
