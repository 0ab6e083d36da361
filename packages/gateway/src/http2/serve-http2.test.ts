import assert from "node:assert/strict";
import { constants } from "node:http2";
import type { OutgoingHttpHeaders } from "node:http2";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { Sink, Source } from "../exchange/body.ts";
import type { Exchange, Sent } from "../exchange/exchange.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { ask, got, serve } from "./testing/served.ts";

test("a request becomes an exchange, and its answer goes out with its length", async (t) => {
  const heads: Exchange[] = [];
  const { session } = await serve(t, (exchange) => {
    heads.push(exchange);
    void exchange.send({
      status: 201,
      fields: new Fields(["x-a", "1", "x-a", "2"]),
      body: bytesSource(Buffer.from("hi")),
    });
  });
  const answer = await ask(session, { ":path": "/a/../b?c=%2f", cookie: ["a=1", "b=2"], te: "trailers" });
  assert.equal(answer.headers[":status"], 201);
  assert.equal(answer.headers["x-a"], "1, 2");
  assert.equal(answer.headers["content-length"], "2");
  assert.equal(answer.text, "hi");
  const { head, body } = heads[0]!;
  assert.deepEqual([head.method, head.authority, head.target, head.version], ["GET", "a.test", "/b?c=%2f", "2"]);
  assert.equal(body, undefined);
  assert.equal(head.fields.get("cookie"), "a=1; b=2");
  assert.equal(head.fields.has("te"), false);
});

test("bodies and trailers pass both ways", async (t) => {
  const { session } = await serve(t, (exchange) => {
    void (async () => {
      const collected = await collect(exchange.body!, 100);
      assert.ok(collected !== "too-large");
      const text = `${collected.bytes.toString()} ${collected.trailers?.get("x-sum")}`;
      const body = { ...bytesSource(Buffer.from(text), new Fields(["grpc-status", "0"])), length: undefined };
      await exchange.send({ status: 200, fields: new Fields(), body });
    })();
  });
  const stream = session.request({ ":path": "/", ":method": "POST" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "7", "set-cookie": "a=b" }));
  stream.end("hello");
  const answer = await got(stream);
  assert.equal(answer.text, "hello 7");
  assert.equal(answer.trailers?.["grpc-status"], "0");
});

test("an answer before the body was read stops the client without an error", async (t) => {
  const sent: Promise<Sent>[] = [];
  const { session } = await serve(t, (exchange) => {
    sent.push(exchange.send(localAnswer(413, "too_large", "too large")));
  });
  const stream = session.request({ ":path": "/", ":method": "POST" });
  stream.write(Buffer.alloc(10));
  const answer = await got(stream);
  assert.equal(answer.headers[":status"], 413);
  assert.equal(answer.code, constants.NGHTTP2_NO_ERROR);
  assert.deepEqual(await sent[0], { bytes: 10, failure: undefined });
});

test("a client that goes away is noticed, and its answer's body is not wanted any more", async (t) => {
  const { promise: gone, resolve: tellGone } = Promise.withResolvers<void>();
  const { promise: cancelled, resolve: tellCancelled } = Promise.withResolvers<void>();
  const { promise: result, resolve: tellResult } = Promise.withResolvers<Sent>();
  const { session } = await serve(t, (exchange) => {
    exchange.onGone(tellGone);
    const body = {
      length: undefined,
      open: (sink: { write(c: Uint8Array): boolean }) => void sink.write(Buffer.from("x")),
      cancel: tellCancelled,
    };
    void exchange.send({ status: 200, fields: new Fields(), body }).then(tellResult);
  });
  const stream = session.request({ ":path": "/" });
  stream.on("data", () => stream.close(constants.NGHTTP2_CANCEL));
  await Promise.all([gone, cancelled]);
  assert.deepEqual(await result, { bytes: 1, failure: "client_gone" });
});

test("a body that breaks off resets the stream", async (t) => {
  const { session } = await serve(t, (exchange) => {
    const body = {
      length: undefined,
      open: (sink: { abort(e: Error): void }) => sink.abort(new Error("gone")),
      cancel() {},
    };
    void exchange.send({ status: 200, fields: new Fields(), body });
  });
  const answer = await ask(session, { ":path": "/" });
  assert.equal(answer.code, constants.NGHTTP2_INTERNAL_ERROR);
});

test("heads that could be read in two ways are refused", async (t) => {
  const { session } = await serve(t, () => assert.fail("nothing of this is handled"));
  const cases: [OutgoingHttpHeaders, number][] = [
    [{ ":path": "/a%2fb" }, 400],
    [{ ":path": "/a#b" }, 400],
    [{ ":path": "/", host: "other.test" }, 400],
    [{ ":path": "/", ":authority": "a.test:99999" }, 400],
    [{ ":path": "/", ":scheme": "ftp" }, 400],
    [{ ":path": "/", expect: "tea" }, 417],
    [{ ":path": `/${"a".repeat(9000)}` }, 414],
    [{ ":path": "/", "x-large": "a".repeat(20_000) }, 431],
    [{ ":path": "/", "x-many": Array.from({ length: 120 }, () => "1") }, 431],
  ];
  for (const [headers, status] of cases) {
    const answer = await ask(session, headers);
    assert.equal(answer.headers[":status"], status, JSON.stringify(headers).slice(0, 80));
  }
});

test("a connection that is drained answers what is under way, and closes", async (t) => {
  const waiting: Exchange[] = [];
  const { promise: came, resolve: tellCame } = Promise.withResolvers<void>();
  const { session, connections } = await serve(t, (exchange) => {
    waiting.push(exchange);
    tellCame();
  });
  const answer = ask(session, { ":path": "/" });
  await came;
  const closed = new Promise((resolve) => session.on("close", resolve));
  connections[0]!.drain();
  await new Promise((resolve) => session.once("goaway", resolve));
  void waiting[0]!.send(localAnswer(200, "test", "done"));
  assert.equal((await answer).text, "done\n");
  await closed;
});

test("a connection that had as many requests as it may have is left", async (t) => {
  const { session } = await serve(t, (exchange) => void exchange.send(localAnswer(200, "test", "here")), {
    requests: 3,
  });
  const closed = new Promise((resolve) => session.on("close", resolve));
  const answers = await Promise.all([1, 2, 3].map(() => ask(session, { ":path": "/" })));
  assert.deepEqual(
    answers.map(({ text }) => text),
    ["here\n", "here\n", "here\n"],
  );
  await closed;
});

test("a WebSocket is asked for by an extended CONNECT, and its bytes pass both ways", async (t) => {
  const { session } = await serve(t, (exchange) => {
    assert.equal(exchange.head.upgrade, "websocket");
    assert.equal(exchange.head.method, "GET");
    assert.equal(exchange.head.fields.get("sec-websocket-key")?.length, 24);
    void exchange.send({ status: 101, fields: new Fields(["sec-websocket-accept", "x"]), body: exchange.body });
  });
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  const stream = session.request(
    { ":method": "CONNECT", ":protocol": "websocket", ":path": "/chat", ":authority": "a.test" },
    { endStream: false },
  );
  stream.end("ping");
  const answer = await got(stream);
  assert.equal(answer.headers[":status"], 200);
  assert.equal(answer.headers["sec-websocket-accept"], undefined);
  assert.equal(answer.text, "ping");
});

test("an answer to HEAD has the length of its body, and no body", async (t) => {
  const { session } = await serve(t, (exchange) => {
    void exchange.send(
      exchange.head.target === "/local"
        ? localAnswer(200, "test", "hello")
        : { status: 200, fields: new Fields(["content-length", "1234"]), body: undefined },
    );
  });
  const local = await ask(session, { ":path": "/local", ":method": "HEAD" });
  assert.deepEqual([local.headers["content-length"], local.text], ["6", ""]);
  const passed = await ask(session, { ":path": "/", ":method": "HEAD" });
  assert.deepEqual([passed.headers["content-length"], passed.text], ["1234", ""]);
  const get = await ask(session, { ":path": "/" });
  assert.equal(get.headers["content-length"], undefined);
});

test("a client that waits for a word before its body gets it when the body is wanted", async (t) => {
  const { session } = await serve(t, (exchange) => {
    assert.equal(exchange.head.fields.has("expect"), false);
    void collect(exchange.body!, 100).then((body) =>
      exchange.send(localAnswer(200, "test", body === "too-large" ? body : body.bytes.toString())),
    );
  });
  const stream = session.request({ ":path": "/", ":method": "POST", expect: "100-continue" });
  stream.on("continue", () => stream.end("body"));
  assert.equal((await got(stream)).text, "body\n");
});

test("a body that nobody reads to its end keeps nothing", async (t) => {
  const sent: Promise<Sent>[] = [];
  const { session, connections } = await serve(t, (exchange) => {
    const { body } = exchange;
    let isFirst = true;
    body!.open({
      write() {
        if (!isFirst) return true;
        isFirst = false;
        body!.cancel();
        sent.push(exchange.send(localAnswer(200, "test", "enough")));
        return false;
      },
      end: () => assert.fail("it is not wanted"),
      abort: (error) => assert.fail(error),
      onDrain() {},
    });
  });
  for (const size of [40_000, 1_000_000]) {
    const answer = await ask(session, { ":path": "/", ":method": "POST" }, "x".repeat(size));
    assert.equal(answer.text, "enough\n");
    assert.equal(answer.code, constants.NGHTTP2_NO_ERROR);
  }
  assert.deepEqual(
    (await Promise.all(sent)).map(({ failure }) => failure),
    [undefined, undefined],
  );
  while (connections[0]!.active > 0) await nextTurn();
});

test("a reader that has enough stops the client", async (t) => {
  let came = 0;
  let resume = (): void => {};
  const { promise: ended, resolve: tellEnded } = Promise.withResolvers<void>();
  let isHeld = true;
  const { session } = await serve(t, (exchange) => {
    exchange.body!.open({
      write(chunk) {
        came += chunk.length;
        return !isHeld;
      },
      end: () => tellEnded(),
      abort: (error) => assert.fail(error),
      onDrain: (listener) => (resume = listener),
    });
  });
  const stream = session.request({ ":path": "/", ":method": "POST" });
  stream.end(Buffer.alloc(3_000_000));
  while (came === 0) await nextTurn();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  assert.ok(came < 300_000, `${came}`);
  isHeld = false;
  resume();
  await ended;
  assert.equal(came, 3_000_000);
});

test("a connection without requests is closed after a while", async (t) => {
  const clock = new ManualClock();
  const { session } = await serve(
    t,
    (exchange) => void exchange.send(localAnswer(200, "test", "")),
    { idleMs: 1000 },
    clock,
  );
  await ask(session, { ":path": "/" });
  const closed = new Promise((resolve) => session.on("close", resolve));
  clock.advance(1500);
  await closed;
});

/** A body that writes for as long as it may. */
function endless(): Source {
  return {
    length: undefined,
    open(sink: Sink) {
      const more = (): void => {
        while (sink.write(Buffer.alloc(16_384)));
      };
      sink.onDrain(more);
      more();
    },
    cancel() {},
  };
}

test("a client that takes nothing of its answer, or sends nothing of its body, loses the stream; others do not", async (t) => {
  const clock = new ManualClock();
  const outcomes = new Map<string, string | undefined>();
  const waiting: Exchange[] = [];
  const { session } = await serve(
    t,
    (exchange) => {
      const { target } = exchange.head;
      waiting.push(exchange);
      exchange.onGone(() => outcomes.set(target, "gone"));
      if (target === "/full") void exchange.send({ status: 200, fields: new Fields(), body: endless() });
      else exchange.body?.open({ write: () => true, end() {}, abort() {}, onDrain() {} });
    },
    { stalledMs: 1000, idleMs: 100_000, pingMs: 100_000 },
    clock,
  );
  const grpc = { "content-type": "application/grpc" };
  const asked: [string, OutgoingHttpHeaders, boolean][] = [
    ["/full", {}, true],
    ["/silent", { ":method": "POST" }, false],
    ["/drips", { ":method": "POST" }, false],
    ["/steady", { ":method": "POST" }, false],
    ["/grpc", { ":method": "POST", ...grpc }, false],
    ["/waits", {}, true],
  ];
  for (const [path, headers, endStream] of asked) {
    const stream = session.request({ ":path": path, ...headers }, { endStream });
    stream.on("error", () => {});
    if (path === "/drips") stream.write("x");
    if (path === "/steady") stream.write("x".repeat(1000));
  }
  while (waiting.length < 6) await nextTurn();
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  clock.advance(1500);
  while (outcomes.size < 3) await nextTurn();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.deepEqual([...outcomes.keys()].toSorted(), ["/drips", "/full", "/silent"]);
});

test("a client that gives no room for a small answer loses the stream in time", async (t) => {
  const clock = new ManualClock();
  const sent: Promise<Sent>[] = [];
  const { session } = await serve(
    t,
    (exchange) => void sent.push(exchange.send(localAnswer(200, "test", "x".repeat(10_000)))),
    { stalledMs: 1000, idleMs: 100_000, pingMs: 100_000 },
    clock,
  );
  session.settings({ initialWindowSize: 0 });
  const stream = session.request({ ":path": "/" });
  const gone = got(stream);
  while (sent.length === 0) await nextTurn();
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  clock.advance(1500);
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  assert.ok(stream.closed, "the stream is kept");
  assert.equal((await gone).code, constants.NGHTTP2_CANCEL);
  assert.equal((await sent[0])?.failure, "client_gone");
});

test("a client that does not answer a ping is gone", async (t) => {
  const clock = new ManualClock();
  const { promise: gone, resolve: tellGone } = Promise.withResolvers<void>();
  const { promise: came, resolve: tellCame } = Promise.withResolvers<void>();
  const { session } = await serve(
    t,
    (exchange) => {
      exchange.onGone(tellGone);
      tellCame();
    },
    { pingMs: 1000 },
    clock,
  );
  session.request({ ":path": "/" }).on("error", () => {});
  await came;
  // Time passes at once: no answer can come in between.
  clock.advance(1000);
  clock.advance(1000);
  await gone;
});
