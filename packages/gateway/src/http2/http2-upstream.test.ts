import assert from "node:assert/strict";
import { constants, createServer } from "node:http2";
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { createServer as createPlain } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { ManualClock, nextTurn, systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { Sink } from "../exchange/body.ts";
import { Fields } from "../exchange/fields.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { Upstream, UpstreamRequest } from "../upstream/upstream.ts";
import { http2Upstream } from "./http2-upstream.ts";
import type { Http2UpstreamLimits } from "./upstream-limits.ts";

interface Bench {
  readonly upstream: Upstream;
  readonly server: Http2Server;
  readonly sessions: ServerHttp2Session[];
}

async function backend(
  t: TestContext,
  answer: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void,
  limits: Partial<Http2UpstreamLimits> = {},
  clock: Clock = systemClock,
): Promise<Bench> {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  server.on("session", (session) => {
    sessions.push(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    answer(stream, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const upstream = http2Upstream(
    { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    { clock, limits },
  );
  t.after(() => {
    upstream.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { upstream, server, sessions };
}

function request(over: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: "GET",
    scheme: "http",
    authority: "a.test",
    target: "/x",
    fields: new Fields(["x-a", "1"]),
    body: undefined,
    upgrade: undefined,
    ...over,
  };
}

async function failureOf(promise: Promise<unknown>): Promise<UpstreamError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  return error;
}

test("a request and its answer pass with bodies and trailers, on one connection", async (t) => {
  const { upstream, sessions } = await backend(t, (stream, headers) => {
    assert.equal(headers[":authority"], "a.test");
    assert.equal(headers["x-a"], "1");
    stream.respond({ ":status": 200, "x-b": ["1", "2"] }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.pipe(stream);
  });
  for (const text of ["one", "two"]) {
    const { answer } = upstream.send(request({ method: "POST", body: bytesSource(Buffer.from(text)) }));
    const { status, fields, body } = await answer;
    assert.deepEqual([status, fields.all("x-b")], [200, ["1", "2"]]);
    const got = await collect(body!, 100);
    assert.ok(got !== "too-large");
    assert.equal(got.bytes.toString(), text);
    assert.equal(got.trailers?.get("grpc-status"), "0");
  }
  assert.equal(sessions.length, 1);
  assert.equal(upstream.connections, 1);
});

test("more requests than one connection may have go by another, and more than all may have are refused unseen", async (t) => {
  const { upstream, sessions } = await backend(t, () => {}, { streamsPerConnection: 1, maxConnections: 2 });
  const under = [upstream.send(request()), upstream.send(request())];
  const { failure, unseen } = await failureOf(upstream.send(request()).answer);
  assert.deepEqual([failure, unseen, upstream.active, upstream.connections], ["overflow", true, 2, 2]);
  for (const exchange of under) exchange.cancel(new Error("enough"));
  for (const { answer } of under) await assert.rejects(answer, /enough/u);
  assert.ok(sessions.length <= 2);
});

test("a refused stream was not seen; a reset one may have been", async (t) => {
  const codes = [constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_INTERNAL_ERROR];
  const { upstream } = await backend(t, (stream) => stream.close(codes.shift()));
  const refused = await failureOf(upstream.send(request()).answer);
  assert.deepEqual([refused.failure, refused.unseen], ["refused_stream", true]);
  const reset = await failureOf(upstream.send(request()).answer);
  assert.deepEqual([reset.failure, reset.unseen], ["reset", false]);
});

test("requests that a leaving backend did not see are unseen, and the next one gets a new connection", async (t) => {
  let seen = 0;
  const { upstream, sessions } = await backend(t, (stream) => {
    if (seen++ > 0) stream.respond({ ":status": 204 }, { endStream: true });
    else stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 0);
  });
  const first = upstream.send(request());
  void first.answer.catch(() => {});
  while (upstream.connections === 1 && seen === 0) await nextTurn();
  const { status } = await upstream.send(request()).answer.catch(() => upstream.send(request()).answer);
  assert.equal(status, 204);
  assert.equal(sessions.length, 2);
  first.cancel(new Error("enough"));
});

test("an answer that has another length than it says is not whole", async (t) => {
  const { upstream } = await backend(t, (stream) => {
    stream.respond({ ":status": 200, "content-length": 10 });
    stream.end("half");
  });
  const outcome = upstream.send(request()).answer.then(({ body }) => collect(body!, 100));
  await assert.rejects(outcome, UpstreamError);
});

test("cancelling resets the stream, and aborts a body that flows with its reason", async (t) => {
  const { promise: code, resolve: tellCode } = Promise.withResolvers<number>();
  const { upstream } = await backend(t, (stream) => {
    stream.on("close", () => tellCode(stream.rstCode ?? 0));
    stream.respond({ ":status": 200 });
    stream.write("begin");
  });
  const exchange = upstream.send(request());
  const { body } = await exchange.answer;
  const { promise: reason, resolve: tellReason } = Promise.withResolvers<Error>();
  const sink: Sink = {
    write() {
      exchange.cancel(new Error("enough"));
      return true;
    },
    end: () => assert.fail("it is not whole"),
    abort: tellReason,
    onDrain() {},
  };
  body!.open(sink);
  assert.match((await reason).message, /enough/u);
  assert.equal(await code, constants.NGHTTP2_CANCEL);
});

test("a reader that has enough stops the backend", async (t) => {
  let written = 0;
  const { upstream } = await backend(t, (stream) => {
    stream.respond({ ":status": 200 });
    const more = (): void => {
      while (written < 8_000_000) {
        written += 16_384;
        if (!stream.write(Buffer.alloc(16_384))) {
          stream.once("drain", more);
          return;
        }
      }
      stream.end();
    };
    more();
  });
  const { body } = await upstream.send(request()).answer;
  let came = 0;
  let resume = (): void => {};
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
  const { promise: full, resolve: tellFull } = Promise.withResolvers<void>();
  let isHeld = true;
  body!.open({
    write(chunk) {
      came += chunk.length;
      tellFull();
      return !isHeld;
    },
    end: () => tellEnded(),
    abort: (error) => assert.fail(error),
    onDrain: (listener) => (resume = listener),
  });
  await full;
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  assert.ok(came < 1_000_000 && written < 2_000_000, `${came} of ${written}`);
  isHeld = false;
  resume();
  await ended;
  assert.equal(came, written);
});

test("nobody listening is a failure to connect, and the request was not seen", async () => {
  const server = createPlain();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const upstream = http2Upstream({ host: "127.0.0.1", port }, { clock: systemClock });
  const { failure, unseen } = await failureOf(upstream.send(request()).answer);
  assert.deepEqual([failure, unseen], ["connect", true]);
  assert.equal(upstream.active, 0);
});

test("a backend that never answers the handshake, and one that dies silently, are given up", async (t) => {
  const sockets: { destroy(): void }[] = [];
  const server = createPlain((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const clock = new ManualClock();
  const { port } = server.address() as AddressInfo;
  const upstream = http2Upstream({ host: "127.0.0.1", port }, { clock, limits: { pingMs: 1000 } });
  const { answer } = upstream.send(request());
  while (sockets.length === 0) await nextTurn();
  const outcome = failureOf(answer);
  for (let turn = 0; turn < 20; turn++) {
    clock.advance(1000);
    await nextTurn();
  }
  const { failure, unseen } = await outcome;
  assert.deepEqual([failure, unseen], ["timeout", false]);
});

test("a connection without requests is closed after a while", async (t) => {
  const clock = new ManualClock();
  const { upstream, sessions } = await backend(
    t,
    (stream) => stream.respond({ ":status": 204 }, { endStream: true }),
    { idleMs: 1000, pingMs: 1000 },
    clock,
  );
  await upstream.send(request()).answer;
  const closed = new Promise((resolve) => sessions[0]!.on("close", resolve));
  while (upstream.active > 0) await nextTurn();
  clock.advance(1000);
  clock.advance(1000);
  await closed;
  while (upstream.connections > 0) await nextTurn();
});

test("how soon a connection without requests is closed says nothing about how soon a backend has to show that it lives", async (t) => {
  const clock = new ManualClock();
  let asked: ServerHttp2Stream | undefined;
  const { upstream } = await backend(t, (stream) => (asked = stream), { idleMs: 1, pingMs: 1000 }, clock);
  const { answer } = upstream.send(request());
  while (asked === undefined) await nextTurn();
  for (let step = 0; step < 10; step++) clock.advance(50);
  asked.respond({ ":status": 204 }, { endStream: true });
  assert.equal((await answer).status, 204);
});

test("a backend that answers whole and never reads the rest of the request keeps neither the body nor the stream", async (t) => {
  const { upstream } = await backend(t, (stream) => {
    stream.pause();
    stream.respond({ ":status": 200 });
    stream.end("early");
  });
  let isCancelled = false;
  const body = {
    length: undefined,
    // More than fits, and no end.
    open: (sink: Sink) => void sink.write(Buffer.alloc(1_000_000)),
    cancel: () => void (isCancelled = true),
  };
  const { answer } = upstream.send(request({ method: "POST", body }));
  const got = await answer;
  const whole = await collect(got.body!, 100);
  assert.equal(whole === "too-large" ? "" : whole.bytes.toString(), "early");
  while (upstream.active > 0) await nextTurn();
  assert.ok(isCancelled);
});
