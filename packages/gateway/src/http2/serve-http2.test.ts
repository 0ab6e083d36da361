import assert from "node:assert/strict";
import { connect, constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { seededRandom, systemClock } from "@gatewright/ports";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { Exchange, Sent } from "../exchange/exchange.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { HTTP2_LIMITS } from "./http2-limits.ts";
import type { Http2Limits } from "./http2-limits.ts";
import { serveHttp2 } from "./serve-http2.ts";
import type { Http2Connection } from "./serve-http2.ts";

interface Served {
  readonly session: ClientHttp2Session;
  readonly connections: Http2Connection[];
}

async function serve(
  t: TestContext,
  handle: (exchange: Exchange) => void,
  limits: Partial<Http2Limits> = {},
): Promise<Served> {
  const connections: Http2Connection[] = [];
  const server = createServer((socket: Socket) => {
    connections.push(
      serveHttp2(socket, {
        clock: systemClock,
        random: seededRandom(1),
        scheme: "http",
        client: { address: "127.0.0.1", port: socket.remotePort ?? 0, tls: undefined },
        listener: "test",
        limits: { ...HTTP2_LIMITS, ...limits },
        handle,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on("error", () => {});
  t.after(() => {
    session.destroy();
    for (const connection of connections) connection.destroy();
    server.close();
  });
  return { session, connections };
}

interface Got {
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly trailers: Record<string, unknown> | undefined;
  readonly code: number | undefined;
}

function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Got> {
  const stream = session.request({ ":authority": "a.test", ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return got(stream);
}

function got(stream: ClientHttp2Stream): Promise<Got> {
  return new Promise((resolve) => {
    let head: Record<string, unknown> = {};
    let trailers: Record<string, unknown> | undefined;
    let text = "";
    stream.on("response", (headers) => (head = headers));
    stream.on("trailers", (headers) => (trailers = headers));
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    stream.on("error", () => {});
    stream.on("close", () => resolve({ headers: head, text, trailers, code: stream.rstCode }));
  });
}

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
