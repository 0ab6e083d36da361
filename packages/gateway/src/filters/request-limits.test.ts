import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bytesSource } from "../exchange/bodies.ts";
import type { Sink, Source } from "../exchange/body.ts";
import type { Answer } from "../exchange/answer.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Call } from "../pipeline/call.ts";
import { requestLimitsFilter } from "./request-limits.ts";
import type { RequestLimitsSpec } from "./request-limits.ts";
import { madeAnswer, madeCall } from "./testing/made-call.ts";
import type { CallParts } from "./testing/made-call.ts";

/** Chunks whose sum is not told beforehand. */
function chunked(...sizes: readonly number[]): Source & { cancelled: boolean } {
  return {
    length: undefined,
    cancelled: false,
    open(sink) {
      for (const size of sizes) sink.write(Buffer.alloc(size));
      sink.end();
    },
    cancel() {
      this.cancelled = true;
    },
  };
}

function received(source: Source | undefined): { bytes: number; end: string } {
  const got = { bytes: 0, end: "" };
  const sink: Sink = {
    write(chunk) {
      got.bytes += chunk.length;
      return true;
    },
    end: () => void (got.end += "end"),
    abort: (error) => void (got.end += error.name),
    onDrain() {},
  };
  source?.open(sink);
  return got;
}

function asked(spec: RequestLimitsSpec | undefined, parts: CallParts) {
  const filter = requestLimitsFilter(spec);
  const call = madeCall(parts);
  return { filter, call, answer: filter.request?.(call) as Answer | undefined };
}

test("a body whose length is told is refused before a byte of it is read", () => {
  const body = bytesSource(Buffer.alloc(11));
  assert.equal(asked({ maxBodySize: 10 }, { body }).answer?.status, 413);
  assert.equal(asked({ maxBodySize: 11 }, { body }).answer, undefined);
});

test("a body whose length is not told breaks off where it becomes too large, and the answer is 413", () => {
  const body = chunked(4, 4, 4, 4);
  const { filter, call, answer } = asked({ maxBodySize: 10 }, { body });
  assert.equal(answer, undefined);
  assert.deepEqual(received(call.body), { bytes: 8, end: "BodyTooLargeError" });
  assert.equal(body.cancelled, true);
  const failed = localAnswer(502, "upstream_reset", "the backend failed", new Fields(["x-kept", "yes"]));
  const changed = filter.response?.(call, failed) as Answer;
  assert.equal(changed.fields.get("x-kept"), "yes");
  assert.deepEqual([changed.status, changed.origin], [413, "body_too_large"]);
});

test("what a backend said before the body became too large stands", () => {
  const { filter, call } = asked({ maxBodySize: 1 }, { body: chunked(4) });
  received(call.body);
  const answer = madeAnswer("enough", {}, 400);
  assert.equal(filter.response?.(call, answer), answer);
});

test("without a field there is a limit of 10 MiB, but not for streams", () => {
  const body = (): Source => bytesSource(Buffer.alloc(10 * 1024 * 1024 + 1));
  assert.equal(asked(undefined, { body: body() }).answer?.status, 413);
  assert.equal(asked({ maxBodySize: 0 }, { body: body() }).answer?.status, 413);
  const grpc: CallParts = { kind: "GRPCRoute", method: "POST", isGrpc: true };
  assert.equal(asked(undefined, { ...grpc, body: body() }).answer, undefined);
  assert.equal(asked({ maxBodySize: 10 }, { ...grpc, body: body() }).answer?.status, 413);
});

test("a client that says gRPC where the route is none has the limit of others", () => {
  const body = (): Source => bytesSource(Buffer.alloc(10 * 1024 * 1024 + 1));
  assert.equal(asked(undefined, { body: body(), method: "POST", isGrpc: true }).answer?.status, 413);
  assert.equal(asked(undefined, { body: body(), method: "PUT", isGrpc: true, kind: "GRPCRoute" }).answer?.status, 413);
});

test("the gateway's own limit holds where the route says nothing, and may be none", () => {
  const call = (): Call => madeCall({ body: bytesSource(Buffer.alloc(6)) });
  assert.equal((requestLimitsFilter(undefined, 5).request?.(call()) as Answer | undefined)?.status, 413);
  assert.equal(requestLimitsFilter({ maxBodySize: 6 }, 5).request?.(call()), undefined);
  assert.equal(requestLimitsFilter(undefined, 0).request?.(call()), undefined);
});

test("an ordinary request keeps its body as it is", () => {
  const body = bytesSource(Buffer.from("x"));
  const { call } = asked({ maxBodySize: 10, maxHeaderSize: 1000 }, { body });
  assert.equal(call.body, body);
});

test("a head that is too large is refused with 431", () => {
  const parts = { target: "/a", fields: { "x-one": "1".repeat(100) } };
  assert.equal(asked({ maxHeaderSize: 100 }, parts).answer?.status, 431);
  assert.equal(asked({ maxHeaderSize: 200 }, parts).answer, undefined);
});

test("however a body is cut, it passes exactly when it is not over the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 20 }), fc.integer({ min: 1, max: 200 }), (sizes, maxBodySize) => {
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const { call } = asked({ maxBodySize }, { body: chunked(...sizes) });
      const got = received(call.body);
      return total <= maxBodySize
        ? got.end === "end" && got.bytes === total
        : got.end === "BodyTooLargeError" && got.bytes <= maxBodySize;
    }),
  );
});
