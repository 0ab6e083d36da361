import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { localAnswer, serveHttp1 } from "@gatewright/gateway";
import type { Exchange } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import { MemorySocket } from "./memory-socket.ts";

/** More than a connection may ever take from a client that nobody reads or wants. */
const BOUND = 1 << 20;
const PIECE = 16 * 1024;

const POST = "POST / HTTP/1.1\r\nHost: a\r\n";
const opened = (exchange: Exchange): void =>
  exchange.body?.open({ write: () => false, end() {}, abort() {}, onDrain() {} });

/** What a client begins with, and then repeats for as long as it may; what is done with its requests. */
const FLOODS: readonly (readonly [
  name: string,
  start: string,
  repeated: string,
  handle: (exchange: Exchange) => void,
])[] = [
  ["a first line without end", "GET /", "x", () => {}],
  ["fields without end", "GET / HTTP/1.1\r\n", "X: y\r\n", () => {}],
  ["a name without end", "GET / HTTP/1.1\r\n", "x", () => {}],
  ["empty lines", "", "\r\n", () => {}],
  ["requests behind one that is not answered", "", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", () => {}],
  ["a body that nobody opens", `${POST}Content-Length: 1000000000\r\n\r\n`, "x", () => {}],
  ["a body whose reader has enough", `${POST}Content-Length: 1000000000\r\n\r\n`, "x", opened],
  ["chunks whose reader has enough", `${POST}Transfer-Encoding: chunked\r\n\r\n`, "1\r\na\r\n", opened],
  ["an extension without end", `${POST}Transfer-Encoding: chunked\r\n\r\n1;`, "x", opened],
  ["a size without end", `${POST}Transfer-Encoding: chunked\r\n\r\n`, "0", opened],
  ["trailers without end", `${POST}Transfer-Encoding: chunked\r\n\r\n0\r\n`, "X: y\r\n", opened],
  [
    "a body that nobody wants, after the answer",
    `${POST}Transfer-Encoding: chunked\r\n\r\n`,
    "1\r\na\r\n",
    (exchange) => void exchange.send(localAnswer(403, "denied", "no")),
  ],
  [
    "bytes before a change of protocol",
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    "x",
    () => {},
  ],
];

for (const [name, start, repeated, handle] of FLOODS) {
  test(`${name}: the connection ends or waits`, async () => {
    const socket = new MemorySocket();
    const connection = serveHttp1(socket.asSocket(), Buffer.from(start, "latin1"), {
      clock: systemClock,
      scheme: "http",
      client: { address: "192.0.2.1", port: 1, tls: undefined },
      listener: "test",
      handle,
    });
    const piece = Buffer.from(repeated.repeat(Math.ceil(PIECE / repeated.length)), "latin1");
    let taken = 0;
    while (!socket.isEnded && !socket.isPaused() && taken < 4 * BOUND) {
      socket.push(piece);
      taken += piece.length;
      await setImmediate();
    }
    assert.ok(taken < BOUND, `${taken} bytes were taken`);
    connection.destroy();
  });
}

test("what is sent to a connection that ends is thrown away, and not for long", async () => {
  const socket = new MemorySocket();
  serveHttp1(socket.asSocket(), Buffer.from("nonsense\r\n\r\n"), {
    clock: systemClock,
    scheme: "http",
    client: { address: "192.0.2.1", port: 1, tls: undefined },
    listener: "test",
    handle() {},
  });
  let sent = 0;
  for (; !socket.destroyed && sent < 4 * BOUND; sent += PIECE) {
    socket.push(Buffer.alloc(PIECE));
    await setImmediate();
  }
  assert.ok(socket.destroyed && sent < BOUND);
  assert.match(socket.written, /^HTTP\/1\.1 400 /);
});
