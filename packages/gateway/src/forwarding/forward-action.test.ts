import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import type { SentRequest } from "../backends/testing/made-upstream.ts";
import type { Answer } from "../exchange/answer.ts";
import { collect } from "../exchange/bodies.ts";
import { madeAnswer, madeAround, madeCall, textOf } from "../filters/testing/made-call.ts";
import type { CallParts } from "../filters/testing/made-call.ts";
import { CallAborted } from "../pipeline/call-aborted.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import { forwardAction } from "./forward-action.ts";
import type { ForwardSpec } from "./forward-action.ts";
import { FlowingBody } from "./testing/flowing-body.ts";
import { MadeBackend } from "./testing/made-backend.ts";

type Reaction = (sent: SentRequest) => void;
const answers =
  (status: number, fields: Readonly<Record<string, string>> = {}): Reaction =>
  (sent) =>
    sent.answer(madeAnswer("body", fields, status));
const fails =
  (failure: UpstreamFailure, unseen = false): Reaction =>
  (sent) =>
    sent.fail(new UpstreamError(failure, "test", unseen));

/** A route to one backend whose endpoints react one after the other, the last for ever. */
function world(spec: ForwardSpec, ...reactions: Reaction[]) {
  const around = madeAround();
  const backend = new MadeBackend();
  let at = 0;
  backend.upstreams.onSend = (sent) => reactions[Math.min(at++, reactions.length - 1)]?.(sent);
  const forward = forwardAction(spec, [{ backend, weight: 100 }], around);
  const { clock } = around;
  return {
    around,
    backend,
    clock,
    forward,
    /** Forwards, letting time pass for as long as that brings it further. */
    run: async (parts: CallParts = {}): Promise<Answer & { readonly call: ReturnType<typeof madeCall> }> => {
      const call = madeCall(parts);
      let answer: Answer | undefined;
      const forwarded = forward(call).then((got) => (answer = got));
      for (let turn = 0; turn < 20 && answer === undefined; turn++) {
        await nextTurn();
        clock.advance(300);
      }
      await forwarded;
      return { ...answer!, call };
    },
  };
}

test("a call goes on as it came, and its answer comes back", async () => {
  let body: Promise<string> | undefined;
  const { run, backend } = world({}, (sent) => {
    body = textOf(sent.request.body);
    sent.answer(madeAnswer("body", { "x-from": "a" }));
  });
  const answer = await run({ method: "POST", target: "/p?q=1", authority: "shop.example.com", body: "hello" });
  assert.deepEqual([answer.status, answer.fields.get("x-from")], [200, "a"]);
  const [sent] = backend.upstreams.sent;
  assert.deepEqual(
    [sent?.request.method, sent?.request.target, sent?.request.authority],
    ["POST", "/p?q=1", "shop.example.com"],
  );
  assert.equal(await body, "hello");
  assert.deepEqual(answer.call.trail, { backend: "Backend default/hello", endpoint: "a:80", attempts: 1, flag: "" });
  assert.deepEqual(backend.told, [{ address: "a:80", statuses: [200] }]);
});

test("path and authority are rewritten on the way", async () => {
  const { run, backend } = world({ rewrite: { uri: "/v2", authority: "inner.example.com" } }, answers(200));
  await run({ target: "/api/x?y", matched: { type: "prefix", value: "/api" } });
  const [sent] = backend.upstreams.sent;
  assert.deepEqual([sent?.request.target, sent?.request.authority], ["/v2/x?y", "inner.example.com"]);
});

const failures: readonly (readonly [UpstreamFailure, number, string])[] = [
  ["connect", 503, "upstream_connect"],
  ["tls", 503, "upstream_tls"],
  ["reset", 502, "upstream_reset"],
  ["refused_stream", 503, "upstream_refused"],
  ["protocol", 502, "upstream_protocol"],
  ["overflow", 503, "upstream_overflow"],
  ["timeout", 504, "upstream_timeout"],
];
for (const [failure, status, origin] of failures) {
  test(`${failure} is answered with ${status} ${origin}`, async () => {
    const { run, backend } = world({}, fails(failure));
    const answer = await run();
    assert.deepEqual([answer.status, answer.origin, answer.call.trail.flag], [status, origin, origin]);
    assert.deepEqual(backend.told, [{ address: "a:80", statuses: [undefined] }]);
  });
}

test("a backend that takes nothing is answered for with its own status", async () => {
  const { run, backend } = world({});
  backend.refusal = { refused: "circuit_open", status: 503, message: "m" };
  const answer = await run();
  assert.deepEqual([answer.status, answer.origin, answer.call.trail.flag], [503, "circuit_open", "circuit_open"]);
  backend.refusal = { refused: "too_many_requests", status: 429, message: "m" };
  assert.equal((await run()).fields.get("retry-after"), "1");
});

test("without retries a request that nobody has seen goes elsewhere once, whatever its method, and no other does", async () => {
  const unseen = world({}, fails("connect", true), answers(200));
  assert.equal((await unseen.run({ method: "POST", body: "x" })).status, 200);
  assert.deepEqual(
    unseen.backend.told.map(({ address }) => address),
    ["a:80", "b:80"],
  );
  const twice = world({}, fails("connect", true), fails("connect", true), answers(200));
  assert.equal((await twice.run()).status, 503);
  const seen = world({}, fails("reset"), answers(200));
  assert.equal((await seen.run()).status, 502);
  const bad = world({}, answers(503), answers(200));
  assert.equal((await bad.run()).status, 503);
});

/** retryOn, what happens first, method, whether it is tried again. */
const conditions: readonly (readonly [string | undefined, readonly [string, Reaction], CallParts, boolean])[] = [
  ["5xx", ["500", answers(500)], {}, true],
  ["5xx", ["500", answers(500)], { method: "POST" }, true],
  ["5xx", ["reset", fails("reset")], {}, true],
  ["5xx", ["404", answers(404)], {}, false],
  ["gateway-error", ["500", answers(500)], {}, false],
  ["gateway-error", ["503", answers(503)], {}, true],
  ["reset", ["reset", fails("reset")], {}, true],
  ["reset", ["503", answers(503)], {}, false],
  ["connect-failure", ["connect", fails("connect")], {}, true],
  ["connect-failure", ["reset", fails("reset")], {}, false],
  ["refused-stream", ["refused_stream", fails("refused_stream")], {}, true],
  ["retriable-4xx", ["409", answers(409)], {}, true],
  ["retriable-4xx", ["404", answers(404)], {}, false],
  ["418", ["418", answers(418)], {}, true],
  ["5xx, connect-failure", ["connect", fails("connect")], {}, true],
  ["5xx", ["overflow", fails("overflow", true)], {}, false],
  [undefined, ["503", answers(503)], {}, true],
  [undefined, ["503", answers(503)], { method: "POST" }, false],
  [undefined, ["500", answers(500)], {}, false],
  ["unavailable", ["grpc-status 14", answers(200, { "grpc-status": "14" })], { method: "POST", isGrpc: true }, true],
  ["unavailable", ["grpc-status 5", answers(200, { "grpc-status": "5" })], { method: "POST", isGrpc: true }, false],
  ["unavailable", ["200", answers(200)], { method: "POST", isGrpc: true }, false],
  ["unavailable", ["reset", fails("reset")], { method: "POST", isGrpc: true }, true],
  ["deadline-exceeded", ["timeout", fails("timeout")], { method: "POST", isGrpc: true }, true],
];
for (const [retryOn, [what, first], parts, again] of conditions) {
  const name = `${parts.method ?? "GET"}${parts.isGrpc === true ? " by gRPC" : ""}`;
  test(`retryOn ${retryOn ?? "unset"}: ${name} is ${again ? "" : "not "}tried again after ${what}`, async () => {
    const retries = { attempts: 1, ...(retryOn !== undefined && { retryOn }) };
    const { run, backend } = world({ retries }, first, answers(200, { "x-second": "1" }));
    const answer = await run(parts);
    assert.equal(backend.told.length, again ? 2 : 1);
    assert.equal(answer.fields.has("x-second"), again);
    assert.equal(answer.call.trail.attempts, again ? 2 : 1);
  });
}

test("the last answer is given when tries run out", async () => {
  const { run, backend } = world(
    { retries: { attempts: 2, retryOn: "5xx" } },
    answers(500),
    answers(502),
    answers(503),
  );
  const answer = await run();
  assert.deepEqual([answer.status, answer.origin], [503, undefined]);
  assert.equal(backend.told.length, 3);
});

test("a try that takes too long is given up, and another may answer", async () => {
  const spec = { retries: { attempts: 1, perTryTimeout: "500ms", retryOn: "reset" } };
  const { run, backend } = world(spec, () => {}, answers(200));
  assert.equal((await run()).status, 200);
  assert.ok(backend.upstreams.sent[0]?.cancelled);
  const slow = world(spec, () => {});
  const answer = await slow.run();
  assert.deepEqual([answer.status, answer.origin], [504, "upstream_timeout"]);
  assert.equal(slow.clock.pending, 0);
});

test("a try without time, or with none, has that of the request", async () => {
  for (const perTryTimeout of [{}, { perTryTimeout: "0s" }]) {
    const { forward, clock } = world({ retries: { attempts: 1, retryOn: "5xx", ...perTryTimeout } }, () => {});
    void forward(madeCall());
    await nextTurn();
    assert.equal(clock.pending, 0);
  }
});

test("the time of a try begins when the client has sent everything", async () => {
  const spec = { retries: { attempts: 1, perTryTimeout: "500ms", retryOn: "5xx" } };
  const { forward, backend, clock } = world(spec, () => {});
  const body = new FlowingBody();
  const forwarded = forward(madeCall({ method: "POST", body }));
  void collect(backend.upstreams.sent[0]!.request.body!, 100);
  body.write("slowly");
  clock.advance(10_000);
  assert.deepEqual([backend.upstreams.sent.length, clock.pending], [1, 0]);
  body.end();
  clock.advance(500);
  assert.ok(backend.upstreams.sent[0]?.cancelled);
  await nextTurn();
  clock.advance(100);
  backend.upstreams.sent[1]?.answer(madeAnswer());
  assert.equal((await forwarded).status, 200);
  assert.equal(clock.pending, 0);
});

test("a body that has flowed is sent again from its beginning, and the rest follows", async () => {
  const { forward, backend, clock } = world({ retries: { attempts: 1, retryOn: "5xx" } }, () => {});
  const body = new FlowingBody();
  const forwarded = forward(madeCall({ method: "PUT", body }));
  const [first] = backend.upstreams.sent;
  const gone = collect(first!.request.body!, 100);
  body.write("one ");
  first?.answer(madeAnswer("", {}, 503));
  await nextTurn();
  assert.equal(body.isCancelled, false);
  clock.advance(1000);
  const read = collect(backend.upstreams.sent[1]!.request.body!, 100);
  body.write("two");
  body.end();
  const got = await read;
  assert.equal(got !== "too-large" && got.bytes.toString(), "one two");
  backend.upstreams.sent[1]?.answer(madeAnswer());
  assert.equal((await forwarded).status, 200);
  assert.equal(await Promise.race([gone, Promise.resolve("told nothing")]), "told nothing");
});

test("a body that is too large to be kept is not sent twice", async () => {
  const { forward, backend } = world({ retries: { attempts: 3, retryOn: "5xx" } }, () => {});
  const body = new FlowingBody();
  const forwarded = forward(madeCall({ method: "PUT", body }));
  const [first] = backend.upstreams.sent;
  void collect(first!.request.body!, 1e6);
  for (let at = 0; at < 65; at++) body.write("x".repeat(1024));
  first?.answer(madeAnswer("", {}, 503));
  assert.equal((await forwarded).status, 503);
  assert.equal(backend.told.length, 1);
});

test("a client that goes ends what is under way at once, and that is not held against the endpoint", async () => {
  const { forward, backend, clock } = world(
    { retries: { attempts: 1, perTryTimeout: "1s", retryOn: "5xx" } },
    () => {},
  );
  const body = new FlowingBody();
  const call = madeCall({ method: "POST", body });
  const forwarded = forward(call);
  const gone = new CallAborted("client_gone");
  call.abort(gone);
  await assert.rejects(forwarded, gone);
  assert.equal(backend.upstreams.sent[0]?.cancelled, gone);
  assert.deepEqual(backend.told, [{ address: "a:80", statuses: [499] }]);
  assert.deepEqual([body.isCancelled, clock.pending], [true, 0]);
});

test("a client that goes while its request is being written leaves nothing under way", async () => {
  const { forward, backend } = world({}, () => call.abort(new CallAborted("client_gone")));
  const call = madeCall();
  await assert.rejects(forward(call), CallAborted);
  assert.ok(backend.upstreams.sent[0]?.cancelled);
  assert.deepEqual(backend.told, [{ address: "a:80", statuses: [499] }]);
});

test("a call that takes too long while it waits for another try ends, too", async () => {
  const { forward, clock, backend } = world({ retries: { attempts: 3, retryOn: "5xx" } }, answers(500));
  const call = madeCall();
  const forwarded = forward(call);
  await nextTurn();
  assert.equal(clock.pending, 1);
  call.abort(new CallAborted("timeout"));
  await assert.rejects(forwarded, CallAborted);
  assert.deepEqual([clock.pending, backend.told.length], [0, 1]);
});

test("a client that goes while the answer flows ends that", async () => {
  const { forward, backend } = world({}, answers(200));
  const call = madeCall();
  await forward(call);
  call.abort(new CallAborted("client_gone"));
  assert.ok(backend.upstreams.sent[0]?.cancelled);
  assert.deepEqual(backend.told, [{ address: "a:80", statuses: [200] }]);
});

test("a change of protocol is tried once, whatever the route says", async () => {
  const { forward, backend } = world(
    { retries: { attempts: 3, retryOn: "5xx" } },
    fails("connect", true),
    answers(101),
  );
  const call = madeCall();
  const upgrading = { ...call, head: { ...call.head, upgrade: "websocket" } };
  assert.equal((await forward(upgrading)).status, 503);
  assert.equal(backend.upstreams.sent[0]?.request.upgrade, "websocket");
  assert.equal(backend.told.length, 1);
});

test("of gRPC an answer without messages is what the endpoint is judged by", async () => {
  const { run, backend } = world({}, answers(200, { "grpc-status": "14" }));
  assert.equal((await run({ isGrpc: true })).status, 200);
  assert.deepEqual(backend.told[0]?.statuses, [503]);
});

test("destinations are drawn by weight; 0 gets none, all 0 and two defaults are equal", async () => {
  const drawn = async (...weights: number[]): Promise<number[]> => {
    const around = madeAround();
    const backends = weights.map((_, at) => new MadeBackend(`Backend default/${at}`));
    for (const { upstreams } of backends) upstreams.onSend = answers(200);
    const forward = forwardAction(
      {},
      backends.map((backend, at) => ({ backend, weight: weights[at]! })),
      around,
    );
    for (let at = 0; at < 2000; at++) await forward(madeCall());
    return backends.map(({ told }) => told.length / 2000);
  };
  const near = (got: number[], expected: number[]): void =>
    got.forEach((share, at) => assert.ok(Math.abs(share - expected[at]!) < 0.05, `${got}`));
  near(await drawn(90, 10), [0.9, 0.1]);
  near(await drawn(100, 100), [0.5, 0.5]);
  near(await drawn(0, 0), [0.5, 0.5]);
  assert.deepEqual(await drawn(0, 100), [0, 1]);
});

test("conditions that mean nothing here are noted", () => {
  const { around } = world({ retries: { attempts: 1, retryOn: "5xx,retriable-headers" } });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.retries.retryOn", "warning"]],
  );
});

test("a route that leads nowhere says so", async () => {
  assert.equal((await forwardAction({}, [], madeAround())(madeCall())).origin, "no_destination");
});

test("a kept connection that its backend closed meanwhile costs a harmless request nothing, and is not held against it", async () => {
  const closed: Reaction = (sent) => sent.fail(new UpstreamError("reset", "closed while it rested", false, true));
  const get = world({}, closed, answers(200));
  assert.equal((await get.run()).status, 200);
  assert.deepEqual(get.backend.told[0]?.statuses, [499]);
  const post = world({}, closed, answers(200));
  assert.equal((await post.run({ method: "POST", body: "x" })).status, 502);
});
