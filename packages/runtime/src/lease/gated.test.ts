import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Transport, TransportResponse } from "../transport/transport.ts";
import { gated } from "./gated.ts";
import { NotLeadingError, openGate } from "./write-gate.ts";
import type { WriteGate } from "./write-gate.ts";

const answer: TransportResponse = { status: 200, headers: {}, body: (async function* () {})() };

function gateOf(clock: ManualClock): { gate: WriteGate; until: (ms: number) => void } {
  let validUntil = Number.NEGATIVE_INFINITY;
  return {
    gate: {
      check() {
        if (clock.monotonic() >= validUntil) throw new NotLeadingError();
      },
      validUntil: () => validUntil,
    },
    until: (ms) => (validUntil = ms),
  };
}

test("without the lease reads pass and no write leaves", async () => {
  const clock = new ManualClock();
  const sent: string[] = [];
  const refusals: string[] = [];
  const inner: Transport = async ({ method }) => {
    sent.push(method);
    return answer;
  };
  const { gate, until } = gateOf(clock);
  const transport = gated(inner, gate, clock, (when) => refusals.push(when));
  for (const method of ["GET", "HEAD"]) await transport({ method, path: "/" });
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "patch"]) {
    await assert.rejects(transport({ method, path: "/" }), (error) => error instanceof NotLeadingError && !error.sent);
  }
  assert.deepEqual(sent, ["GET", "HEAD"]);
  assert.equal(refusals.length, 5);
  until(10);
  await transport({ method: "PUT", path: "/" });
  clock.advance(10);
  await assert.rejects(transport({ method: "PUT", path: "/" }), NotLeadingError);
  assert.deepEqual([sent.length, clock.pending], [3, 0]);
});

test("a write under way is abandoned when the lease ends, and goes on when it is renewed in time", async () => {
  const clock = new ManualClock();
  const { gate, until } = gateOf(clock);
  const signals: (AbortSignal | undefined)[] = [];
  const transport = gated(
    ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {}); // a transport that does not even listen to its signal
    },
    gate,
    clock,
  );
  until(10);
  const write = transport({ method: "PUT", path: "/" });
  until(20);
  clock.advance(15);
  assert.equal(signals[0]?.aborted, false);
  clock.advance(5);
  await assert.rejects(write, (error) => error instanceof NotLeadingError && error.sent);
  assert.equal(signals[0]?.aborted, true);
  assert.equal(clock.pending, 0);
});

test("a process that needs no lease is not gated, and the caller's own signal still counts", async () => {
  const clock = new ManualClock();
  const { gate, until } = gateOf(clock);
  until(1000);
  const heard = gated(
    ({ signal }) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    gate,
    clock,
  );
  const own = new AbortController();
  const write = heard({ method: "PUT", path: "/", signal: own.signal });
  own.abort(new Error("enough"));
  await assert.rejects(write, /enough/);
  assert.equal((await gated(async () => answer, openGate, clock)({ method: "PUT", path: "/" })).status, 200);
  assert.equal(clock.pending, 0);
});
