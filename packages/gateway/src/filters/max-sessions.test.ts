import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { collect } from "../exchange/bodies.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { SessionGate } from "./max-sessions-gate.ts";
import { maxSessionsFilter } from "./max-sessions.ts";
import { madeAnswer, madeAround, madeCall } from "./testing/made-call.ts";

const spec = { enabled: true, maxConcurrent: 1 };
const enter = (filter: Filter, call: Call): Promise<Answer | undefined> => Promise.resolve(filter.request?.(call));
const leave = (filter: Filter, call: Call, answer: Answer): Answer => filter.response?.(call, answer) as Answer;

test("a call that is one too many is answered with 503, and its answer gives no place back", async () => {
  const filter = maxSessionsFilter(spec, madeAround());
  const first = madeCall();
  const second = madeCall();
  assert.equal(await enter(filter, first), undefined);
  const refused = await enter(filter, second);
  assert.equal(refused?.status, 503);
  assert.equal(refused?.fields.get("retry-after"), "1");
  leave(filter, second, refused);
  assert.equal((await enter(filter, madeCall()))?.status, 503);
});

const endings: readonly (readonly [string, (filter: Filter, call: ReturnType<typeof madeCall>) => Promise<void>])[] = [
  ["whose answer has no body", async (filter, call) => void leave(filter, call, madeAnswer())],
  [
    "whose answer was read to its end",
    async (filter, call) => void (await collect(leave(filter, call, madeAnswer("x")).body!, 10)),
  ],
  ["whose answer nobody wants", async (filter, call) => leave(filter, call, madeAnswer("x")).body!.cancel()],
  [
    "whose answer breaks off",
    async (filter, call) => {
      const broken = {
        length: undefined,
        open: (sink: { abort(error: Error): void }) => sink.abort(new Error("gone")),
        cancel() {},
      };
      await assert.rejects(collect(leave(filter, call, madeAnswer(broken)).body!, 10));
    },
  ],
  ["whose client goes", async (_filter, call) => call.abort(new Error("gone"))],
];
for (const [how, end] of endings) {
  test(`a call ${how} gives its place back, once`, async () => {
    const filter = maxSessionsFilter(spec, madeAround());
    const first = madeCall();
    await enter(filter, first);
    await end(filter, first);
    first.abort(new Error("twice"));
    assert.equal(await enter(filter, madeCall()), undefined);
    assert.equal((await enter(filter, madeCall()))?.status, 503);
  });
}

test("a call holds its place while its answer is on the way", async () => {
  const filter = maxSessionsFilter(spec, madeAround());
  const first = madeCall();
  await enter(filter, first);
  leave(filter, first, madeAnswer("streamed"));
  assert.equal((await enter(filter, madeCall()))?.status, 503);
});

test("calls wait in order for a place, and not for ever", async () => {
  const around = madeAround();
  const filter = maxSessionsFilter({ ...spec, queueSize: 2, queueTimeout: "2s" }, around);
  const calls = [madeCall(), madeCall(), madeCall()];
  await enter(filter, calls[0]!);
  const second = enter(filter, calls[1]!);
  const third = enter(filter, calls[2]!);
  assert.equal((await enter(filter, madeCall()))?.status, 503);
  leave(filter, calls[0]!, madeAnswer());
  assert.equal(await second, undefined);
  around.clock.advance(2000);
  assert.equal((await third)?.status, 503);
  assert.equal(around.clock.pending, 0);
});

test("a call whose client goes while it waits takes no place", async () => {
  const around = madeAround();
  const filter = maxSessionsFilter({ ...spec, queueSize: 1, queueTimeout: "2s" }, around);
  const first = madeCall();
  const second = madeCall();
  await enter(filter, first);
  const waiting = enter(filter, second);
  second.abort(new Error("gone"));
  assert.equal((await waiting)?.status, 503);
  leave(filter, first, madeAnswer());
  assert.equal(await enter(filter, madeCall()), undefined);
  assert.equal(around.clock.pending, 0);
});

test("whatever comes and goes, no more are inside or wait than may, and nobody waits while there is room", async () => {
  const step = fc.record({ what: fc.constantFrom("enter", "leave", "wait"), who: fc.nat({ max: 9 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 100 }), async (steps) => {
      const clock = new ManualClock();
      const gate = new SessionGate({ maxConcurrent: 2, queueSize: 3, queueTimeoutMs: 50 }, clock);
      const people: object[] = Array.from({ length: 10 }, () => ({}));
      const known = new Set<object>();
      for (const { what, who } of steps) {
        const person = people[who]!;
        if (what === "wait") clock.advance(20);
        if (what === "leave") {
          gate.leave(person);
          known.delete(person);
        }
        if (what === "enter" && !known.has(person)) {
          const entered = gate.enter(person);
          if (entered === false) continue;
          known.add(person);
          if (entered !== true) void entered.then((did) => did || known.delete(person));
        }
        await Promise.resolve();
        assert.ok(gate.inside <= 2 && gate.waiting <= 3);
        assert.ok(gate.waiting === 0 || gate.inside === 2);
      }
      for (const person of people) gate.leave(person);
      for (const person of people) gate.leave(person);
      assert.deepEqual([gate.inside, gate.waiting, clock.pending], [0, 0, 0]);
    }),
  );
});
