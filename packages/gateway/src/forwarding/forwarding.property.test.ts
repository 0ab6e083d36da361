import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextTurn } from "@gatewright/ports";
import { madeAnswer, madeAround, madeCall } from "../filters/testing/made-call.ts";
import { CallAborted } from "../pipeline/call-aborted.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import { forwardAction } from "./forward-action.ts";
import { RetryBudget, RetryBudgets } from "./retry-budget.ts";
import { FlowingBody } from "./testing/flowing-body.ts";
import { MadeBackend } from "./testing/made-backend.ts";

const failure = fc.constantFrom<UpstreamFailure>(
  "connect",
  "tls",
  "reset",
  "refused_stream",
  "protocol",
  "overflow",
  "timeout",
);
const step = fc.oneof(
  fc.record({ do: fc.constant("answer" as const), status: fc.constantFrom(200, 404, 409, 500, 503) }),
  fc.record({ do: fc.constant("fail" as const), failure, unseen: fc.boolean() }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 700 }) }),
  fc.record({ do: fc.constant("write" as const), size: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({
    do: fc.constant("go" as const),
    reason: fc.constantFrom<"client_gone" | "timeout">("client_gone", "timeout"),
  }),
  fc.record({ do: fc.constant("refuse" as const) }),
);

test("whatever happens to a call: every pick is told once, nothing is left behind, and the client has one answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      async (steps, hasBody, isMirrored) => {
        const around = madeAround();
        const backend = new MadeBackend();
        const mirror = new MadeBackend("Backend default/mirror");
        const spec = { retries: { attempts: 3, perTryTimeout: "500ms", retryOn: "5xx,reset" } };
        const budgets = new RetryBudgets();
        const budget = budgets.of(backend);
        const kept = { of: () => budgets as never };
        const forward = forwardAction(
          spec,
          [{ backend, weight: 1 }],
          { ...around, kept },
          isMirrored ? mirror : undefined,
        );
        const body = hasBody ? new FlowingBody() : undefined;
        const call = madeCall({ method: "PUT", ...(body !== undefined && { body }) });
        let settled = 0;
        forward(call).then(
          (answer) => {
            settled++;
            answer.body?.cancel();
          },
          () => settled++,
        );
        backend.upstreams.onSend = undefined;
        const opened = new Set<unknown>();
        const openBodies = (): void => {
          for (const { request } of [...backend.upstreams.sent, ...mirror.upstreams.sent]) {
            if (request.body === undefined || opened.has(request)) continue;
            opened.add(request);
            request.body.open({ write: () => true, end() {}, abort() {}, onDrain() {} });
          }
        };
        for (const one of [...steps, { do: "go" as const, reason: "timeout" as const }]) {
          openBodies();
          const current = backend.upstreams.sent.at(-1);
          if (one.do === "answer") current?.answer(madeAnswer("x", {}, one.status));
          if (one.do === "fail") current?.fail(new UpstreamError(one.failure, "test", one.unseen));
          if (one.do === "pass") around.clock.advance(one.ms);
          if (one.do === "write") body?.write("x".repeat(one.size));
          if (one.do === "go") call.abort(new CallAborted(one.reason));
          if (one.do === "refuse") backend.refusal = { refused: "no_healthy_endpoint", status: 503, message: "" };
          assert.ok(budget.retrying <= 3);
          await nextTurn();
        }
        assert.equal(settled, 1);
        assert.ok(backend.told.every(({ statuses }) => statuses.length === 1));
        assert.deepEqual([budget.active, budget.retrying], [0, 0]);
        mirror.upstreams.sent[0]?.answer(madeAnswer());
        await nextTurn();
        assert.ok(mirror.told.every(({ statuses }) => statuses.length === 1));
        assert.equal(around.clock.pending, 0);
        if (body !== undefined && backend.told.length > 0 && backend.upstreams.sent.every(({ cancelled }) => cancelled))
          assert.ok(body.isCancelled || body.isOver);
      },
    ),
    { numRuns: 300 },
  );
});

test("retries under way never exceed the larger of three and their share of what is under way", () => {
  const moves = fc.array(fc.constantFrom("begin", "end", "take", "give"), { maxLength: 300 });
  fc.assert(
    fc.property(moves, fc.integer({ min: 0, max: 100 }), (steps, percent) => {
      const budget = new RetryBudget();
      for (const move of steps) {
        if (move === "begin") budget.began();
        if (move === "end" && budget.active > 0) budget.ended();
        if (move === "give" && budget.retrying > 0) budget.giveBack();
        if (move !== "take") continue;
        const before = budget.retrying;
        const may = before < Math.max(3, (budget.active * percent) / 100);
        assert.equal(budget.take(percent), may);
        assert.equal(budget.retrying, before + (may ? 1 : 0));
      }
    }),
  );
});

test("a hundred calls that all fail at once are not all tried again at once", async () => {
  const around = madeAround();
  const backend = new MadeBackend();
  const forward = forwardAction({ retries: { attempts: 10, retryOn: "5xx" } }, [{ backend, weight: 1 }], around);
  let failing = 0;
  let most = 0;
  backend.upstreams.onSend = () => void (most = Math.max(most, backend.upstreams.sent.length - 100 - failing));
  const calls = Array.from({ length: 100 }, () => forward(madeCall()));
  for (const sent of backend.upstreams.sent.slice(0, 100)) sent.answer(madeAnswer("", {}, 500));
  await nextTurn();
  around.clock.advance(1000);
  failing = backend.upstreams.sent.length - 100;
  assert.ok(failing >= 3 && failing <= 20, String(failing));
  for (const sent of backend.upstreams.sent.slice(100)) sent.answer(madeAnswer());
  assert.equal((await Promise.all(calls)).filter(({ status }) => status === 200).length, failing);
});
