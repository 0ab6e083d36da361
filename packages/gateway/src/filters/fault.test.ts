import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { faultFilter } from "./fault.ts";
import { madeAround, madeCall } from "./testing/made-call.ts";

test("a delay holds a request back for its time, then the fault answers", async () => {
  const around = madeAround();
  const filter = faultFilter({ delay: { fixedDelay: "2s" }, abort: { httpStatus: 418 } }, around);
  let isOver = false;
  const waiting: Promise<Answer | undefined> = Promise.resolve(filter.request?.(madeCall()));
  void waiting.then(() => (isOver = true));
  around.clock.advance(1999);
  await nextTurn();
  assert.equal(isOver, false);
  around.clock.advance(1);
  const answer = await waiting;
  assert.deepEqual([answer?.status, answer?.origin], [418, "fault"]);
});

test("a delay without a fault lets requests go on", async () => {
  const around = madeAround();
  const waiting = faultFilter({ delay: { fixedDelay: "1s" } }, around).request?.(madeCall());
  around.clock.advance(1000);
  assert.equal(await waiting, undefined);
});

test("a client that goes while it is held back is not waited for", async () => {
  const around = madeAround();
  const call = madeCall();
  const waiting = faultFilter({ delay: { fixedDelay: "1h" } }, around).request?.(call);
  call.abort(new Error("gone"));
  await assert.rejects(Promise.resolve(waiting), /gone/);
  assert.equal(around.clock.pending, 0);
});

test("so many percent fail, the others pass at once", () => {
  const filter = faultFilter({ abort: { httpStatus: 503, percentage: 25 } }, madeAround());
  const failed = Array.from({ length: 1000 }, () => filter.request?.(madeCall())).filter((got) => got !== undefined);
  assert.ok(Math.abs(failed.length - 250) < 50, String(failed.length));
});
