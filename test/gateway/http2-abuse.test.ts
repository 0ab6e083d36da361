import assert from "node:assert/strict";
import { connect } from "node:http2";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { localAnswer } from "@gatewright/gateway";
import type { Exchange } from "@gatewright/gateway";
import { nextTurn } from "@gatewright/ports";
import {
  fieldBlock,
  FLAG,
  frame,
  FRAME,
  GET,
  indexedField,
  number,
  POST,
  request,
  reset,
  settings,
  windowUpdate,
} from "./http2-frames.ts";
import type { Field } from "./http2-frames.ts";
import { RawClient } from "./http2-raw-client.ts";
import { http2Server } from "./http2-server.ts";

const ENHANCE_YOUR_CALM = 11;
const MEGABYTE = 1 << 20;

interface Victim {
  readonly port: number;
  readonly handled: Exchange[];
  /** Another client is still served. */
  readonly stillServes: () => Promise<void>;
}

/** A server that answers `/`, and lets everything else wait. */
async function victim(t: TestContext, handle?: (exchange: Exchange) => void): Promise<Victim> {
  const handled: Exchange[] = [];
  const port = await http2Server(t, (exchange) => {
    handled.push(exchange);
    if (handle !== undefined) handle(exchange);
    else if (exchange.head.target === "/") void exchange.send(localAnswer(200, "test", "here"));
  });
  const bystander = connect(`http://127.0.0.1:${port}`);
  bystander.on("error", (error) => assert.fail(error));
  t.after(() => {
    bystander.destroy();
  });
  const stillServes = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const stream = bystander.request({ ":path": "/" });
      stream.on("response", (headers) => (headers[":status"] === 200 ? resolve() : reject(new Error("not served"))));
      stream.on("error", reject);
      stream.resume();
    });
  await stillServes();
  handled.length = 0;
  return { port, handled, stillServes };
}

async function opened(t: TestContext, port: number, first?: Buffer): Promise<RawClient> {
  const client = await RawClient.open(port, first);
  t.after(() => client.destroy());
  return client;
}

/** Writes the frames of one round again and again, until the server has had enough. Tells how often it took. */
async function flood(client: RawClient, rounds: number, round: (at: number) => Buffer): Promise<number> {
  for (let at = 0; at < rounds; at++) {
    if (!(await client.writeAll(round(at)))) return at;
    if (at % 50 === 0) await nextTurn();
  }
  return rounds;
}

const SLOW: readonly Field[] = GET.map(([name, value]) => (name === ":path" ? [name, "/slow"] : [name, value]));

test("rapid resets end the connection early, and nobody else's", async (t) => {
  const { port, handled, stillServes } = await victim(t);
  const client = await opened(t, port);
  await flood(client, 20_000, (at) => Buffer.concat([request(2 * at + 1, SLOW), reset(2 * at + 1)]));
  assert.equal(await client.goaway(), ENHANCE_YOUR_CALM);
  await client.closed();
  assert.ok(handled.length < 1000, `${handled.length} requests were handled`);
  await stillServes();
});

/** Frames that make a server reset a stream of a request that it already works on. */
const MADE_YOU_RESET: Readonly<Record<string, (stream: number) => Buffer>> = {
  "a window update of nothing": (stream) => windowUpdate(stream, 0),
  "a window that overflows": (stream) => windowUpdate(stream, 0x7fffffff),
  "data after the end": (stream) => frame(FRAME.data, 0, stream, Buffer.from("x")),
  "a head after the end": (stream) => request(stream, SLOW),
};

for (const [name, provoke] of Object.entries(MADE_YOU_RESET)) {
  test(`resets that a client provokes by ${name} count like its own`, async (t) => {
    const { port, handled, stillServes } = await victim(t);
    const client = await opened(t, port);
    await flood(client, 5000, (at) => Buffer.concat([request(2 * at + 1, SLOW), provoke(2 * at + 1)]));
    await client.closed();
    assert.ok(handled.length < 1000, `${handled.length} requests were handled`);
    await stillServes();
  });
}

test("a head that never ends costs nothing and ends the connection", async (t) => {
  for (const piece of [fieldBlock([["x-a", "b".repeat(1000)]]), fieldBlock([["x", ""]]), Buffer.alloc(0)]) {
    const { port, handled, stillServes } = await victim(t);
    const client = await opened(t, port);
    const before = process.memoryUsage().rss;
    client.write(frame(FRAME.headers, FLAG.endStream, 1, fieldBlock(GET)));
    const took = await flood(client, 100_000, () => frame(FRAME.continuation, 0, 1, piece));
    await client.closed();
    assert.ok(took < 100_000);
    assert.equal(handled.length, 0);
    assert.ok(process.memoryUsage().rss - before < 100 * MEGABYTE);
    await stillServes();
  }
});

test("floods of frames that need an answer or do nothing end the connection", async (t) => {
  const floods: Readonly<Record<string, Buffer>> = {
    settings: settings([[4, 70_000]]),
    "empty settings": settings(),
    ping: frame(FRAME.ping, 0, 0, Buffer.alloc(8)),
    "empty data": frame(FRAME.data, 0, 1),
  };
  for (const [name, one] of Object.entries(floods)) {
    const { port, stillServes } = await victim(t);
    const client = await opened(t, port);
    client.write(
      request(
        1,
        POST.map(([key, value]) => (key === ":path" ? [key, "/slow"] : [key, value])),
        0,
      ),
    );
    const took = await flood(client, 50_000, () => one);
    await client.closed();
    assert.ok(took < 50_000, name);
    await stillServes();
  }
});

test("settings with many entries, and pings of a client that reads nothing, end the connection", async (t) => {
  const { port, stillServes } = await victim(t);
  const many = await opened(t, port);
  many.write(settings(Array.from({ length: 1000 }, () => [4, 70_000])));
  await many.closed();
  const deaf = await opened(t, port);
  deaf.socket.pause();
  await flood(deaf, 20_000, () => frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  deaf.socket.resume();
  await deaf.closed();
  await stillServes();
});

test("windows that overflow are an error of their stream, or of the connection", async (t) => {
  const { port, stillServes } = await victim(t);
  const stream = await opened(t, port);
  stream.write(request(1, SLOW), windowUpdate(1, 0x7fffffff));
  assert.match(await stream.outcome(1), /^(?:reset|goaway) 3$/u);
  const connection = await opened(t, port);
  connection.write(windowUpdate(0, 0x7fffffff));
  assert.equal(await connection.goaway(), 3);
  const initial = await opened(t, port, settings([[4, 0x80000000]]));
  assert.equal(await initial.goaway(), 3);
  await stillServes();
});

test("heads that are too large are refused, also those that grow when they are read", async (t) => {
  const { port, handled, stillServes } = await victim(t);
  const client = await opened(t, port);
  const large = Array.from({ length: 4 }, (_, at): Field => [`x-${at}`, "a".repeat(4100)]);
  client.write(frame(FRAME.headers, FLAG.endStream, 1, fieldBlock([...GET, ...large.slice(0, 3)])));
  client.write(frame(FRAME.continuation, FLAG.endHeaders, 1, fieldBlock(large.slice(3))));
  assert.equal(await client.outcome(1), "status 431");
  const many = Array.from({ length: 150 }, (_, at): Field => [`x-${at}`, ""]);
  client.write(request(3, [...GET, ...many]));
  assert.match(await client.outcome(3), /^status (?:431|other)$/u);
  const tooMany = Array.from({ length: 400 }, (_, at): Field => [`x-${at}`, ""]);
  client.write(request(5, [...GET, ...tooMany]));
  assert.match(await client.outcome(5), /^(reset 11|closed|goaway)/u);
  const bomb = await opened(t, port);
  const before = process.memoryUsage().rss;
  for (let at = 0; at < 50; at++) {
    const entry = at === 0 ? indexedField("x-bomb", "b".repeat(3900)) : Buffer.alloc(0);
    const block = Buffer.concat([fieldBlock(GET), entry, Buffer.alloc(10_000, 0x80 | 62)]);
    if (!(await bomb.writeAll(frame(FRAME.headers, FLAG.endStream | FLAG.endHeaders, 2 * at + 1, block)))) break;
  }
  assert.match(await bomb.outcome(1), /^(reset 11|closed|goaway)/u);
  assert.ok(process.memoryUsage().rss - before < 100 * MEGABYTE);
  assert.equal(handled.length, 0);
  await stillServes();
});

/** Heads that no server may take. */
const BAD_HEADS: Readonly<Record<string, readonly Field[]>> = {
  "no method": GET.slice(1),
  "no scheme": GET.filter(([name]) => name !== ":scheme"),
  "no path": GET.filter(([name]) => name !== ":path"),
  "no authority": GET.filter(([name]) => name !== ":authority"),
  "an empty path": [...GET.filter(([name]) => name !== ":path"), [":path", ""]],
  "a path without a slash": [...GET.filter(([name]) => name !== ":path"), [":path", "x"]],
  "an absolute path": [...GET.filter(([name]) => name !== ":path"), [":path", "http://b.test/"]],
  "two methods": [[":method", "POST"], ...GET],
  "two paths": [[":path", "/b"], ...GET],
  "an unknown pseudo-field": [[":fancy", "1"], ...GET],
  "a status": [[":status", "200"], ...GET],
  "a pseudo-field after another field": [...GET.slice(1), ["x-a", "1"], [":method", "GET"]],
  "an empty authority": [...GET.slice(0, 3), [":authority", ""]],
  "user information": [...GET.slice(0, 3), [":authority", "u:p@a.test"]],
  "another host": [...GET, ["host", "b.test"]],
  "two hosts": [...GET.slice(0, 3), ["host", "a.test"], ["host", "b.test"]],
  connection: [...GET, ["connection", "close"]],
  "keep-alive": [...GET, ["keep-alive", "1"]],
  "proxy-connection": [...GET, ["proxy-connection", "close"]],
  upgrade: [...GET, ["upgrade", "h2c"]],
  "transfer-encoding": [...POST, ["transfer-encoding", "chunked"]],
  "te: gzip": [...GET, ["te", "gzip"]],
  "a method with a blank": [[":method", "GET / HTTP/1.1\r\nx:"], ...GET.slice(1)],
  "a method with spaces": [[":method", "GE T"], ...GET.slice(1)],
  "a path with a blank": [...GET.filter(([name]) => name !== ":path"), [":path", "/ HTTP/1.1"]],
  "a path with a line": [...GET.filter(([name]) => name !== ":path"), [":path", "/\r\nx: y"]],
  "an authority with a line": [...GET.slice(0, 3), [":authority", "a.test\r\nx: y"]],
  "a scheme with a line": [
    [":method", "GET"],
    [":scheme", "http\r\nx: y"],
    [":path", "/"],
    [":authority", "a.test"],
  ],
  "two lengths": [...POST, ["content-length", "1"], ["content-length", "2"]],
  "a length that is none": [...POST, ["content-length", "+1"]],
  "a length with a list": [...POST, ["content-length", "1, 1"]],
  "a length without a body": [...POST, ["content-length", "5"]],
  "CONNECT to a port": [
    [":method", "CONNECT"],
    [":authority", "a.test:22"],
  ],
  "CONNECT with an unknown protocol": [[":method", "CONNECT"], [":protocol", "tcp"], ...GET.slice(1)],
  "a protocol without CONNECT": [...GET, [":protocol", "websocket"]],
};

test("heads that break the rules never become requests", async (t) => {
  const { port, handled, stillServes } = await victim(t);
  for (const [name, fields] of Object.entries(BAD_HEADS)) {
    const client = await opened(t, port);
    client.write(request(1, fields));
    assert.match(await client.outcome(1), /^(reset|goaway|closed|status (?:400|501|other))/u, name);
    assert.equal(handled.length, 0, name);
    client.destroy();
  }
  await stillServes();
});

test("a field that could become another line, or another field, is dropped or ends its request", async (t) => {
  const { port, handled } = await victim(t);
  const names = ["X-A", "x a", "x-a:b", "", "x-a\r\nx-b", "x-a\u0000", "transfer-encoding ", " transfer-encoding"];
  const values = [
    "a\r\nx-b: c",
    "a\nx-b: c",
    "a\rb",
    "a\u0000b",
    " a",
    "a ",
    "a\u007f",
    "chunked\r\n\r\nGET /evil HTTP/1.1",
  ];
  const fields = [...names.map((name): Field => [name, "evil"]), ...values.map((value): Field => ["x-evil", value])];
  for (const field of fields) {
    handled.length = 0;
    const client = await opened(t, port);
    client.write(request(1, [...GET, field]));
    await client.outcome(1);
    for (const { head } of handled) assert.deepEqual(head.fields.flat, [], JSON.stringify(field));
    client.destroy();
  }
});

test("frames that break the protocol end their connection only", async (t) => {
  const broken: Readonly<Record<string, Buffer>> = {
    "data on the connection": frame(FRAME.data, 0, 0, Buffer.from("x")),
    "data on an idle stream": frame(FRAME.data, 0, 5, Buffer.from("x")),
    "a head on an even stream": request(2, GET),
    "a reset of an idle stream": reset(7),
    "a reset that is too long": frame(FRAME.reset, 0, 1, Buffer.alloc(5)),
    "settings of a stream": frame(FRAME.settings, 0, 1),
    "settings of an odd length": frame(FRAME.settings, 0, 0, Buffer.alloc(5)),
    "an acknowledgement with content": frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(6)),
    "a ping of another length": frame(FRAME.ping, 0, 0, Buffer.alloc(7)),
    "a push from a client": frame(FRAME.pushPromise, FLAG.endHeaders, 1, number(2)),
    "a continuation of nothing": frame(FRAME.continuation, FLAG.endHeaders, 1, fieldBlock(GET)),
    "a frame that is too large": frame(FRAME.data, 0, 1, Buffer.alloc(20_000)),
    "padding longer than the frame": frame(FRAME.headers, FLAG.padded | FLAG.endHeaders, 1, Buffer.from([200, 0])),
    "a block that cannot be read": frame(
      FRAME.headers,
      FLAG.endHeaders | FLAG.endStream,
      1,
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
    ),
    "a window of nothing on the connection": windowUpdate(0, 0),
  };
  for (const [name, bytes] of Object.entries(broken)) {
    const { port, handled, stillServes } = await victim(t);
    const client = await opened(t, port);
    client.write(bytes);
    await client.closed();
    assert.equal(handled.length, 0, name);
    await stillServes();
  }
});

test("a client that says that it leaves, then writes nonsense and is gone, keeps nothing", async (t) => {
  const goaway = frame(FRAME.goaway, 0, 0, Buffer.alloc(8));
  const nonsense = Buffer.from([0x4e, 0x8f, 0x1c, 0x05, 0x3d, 0x0d]);
  let isOpen = 0;
  const { port, stillServes } = await victim(t, (exchange) => {
    isOpen++;
    void exchange.send(localAnswer(200, "test", "here")).then(() => isOpen--);
  });
  for (let at = 0; at < 20; at++) {
    const client = await opened(t, port);
    const parts = [request(101, GET), goaway, nonsense, frame(FRAME.ping, 0, 0, Buffer.alloc(8))];
    if (at % 2 === 0) client.write(...parts);
    else for (const part of parts) await client.writeAll(part);
    for (let turn = 0; turn < at % 5; turn++) await nextTurn();
    client.destroy();
    await client.closed();
  }
  await stillServes();
  while (isOpen > 0) await nextTurn();
});

test("a client that takes nothing of its answers makes the server hold little", async (t) => {
  let written = 0;
  const chunk = Buffer.alloc(64 * 1024);
  const { port, stillServes } = await victim(t, (exchange) => {
    if (exchange.head.target === "/") {
      void exchange.send(localAnswer(200, "test", "here"));
      return;
    }
    const body = {
      length: undefined,
      open(sink: { write(bytes: Uint8Array): boolean; onDrain(listener: () => void): void }) {
        const more = (): void => {
          do written += chunk.length;
          while (sink.write(chunk) && written < 1000 * MEGABYTE);
        };
        sink.onDrain(more);
        more();
      },
      cancel() {},
    };
    void exchange.send({ ...localAnswer(200, "test", ""), body });
  });
  const client = await opened(t, port, settings([[4, 0x7fffffff]]));
  client.socket.pause();
  client.write(windowUpdate(0, 0x7fff0000 - 65_535));
  for (let at = 0; at < 100; at++) client.write(request(2 * at + 1, SLOW));
  for (let turn = 0; turn < 500; turn++) await nextTurn();
  assert.ok(written < 100 * MEGABYTE, `${written / MEGABYTE} MB were written`);
  await stillServes();
});
