import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { Sink, Source } from "../exchange/body.ts";
import type { Exchange, Sent } from "../exchange/exchange.ts";
import { Fields } from "../exchange/fields.ts";
import { quiet, served } from "./testing/served.ts";

const GET = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";

function say(exchange: Exchange, text: string, status = 200): Promise<Sent> {
  return exchange.send({ status, fields: new Fields(), body: bytesSource(Buffer.from(text)) });
}

test("an answer has a date, a length, and no more than it needs", async () => {
  await served(
    (exchange) => void say(exchange, "hello"),
    async ({ socket, until, text }) => {
      socket.write(GET);
      await until(/hello$/);
      assert.equal(text(), "HTTP/1.1 200 OK\r\ndate: Tue, 01 Jan 2030 00:00:00 GMT\r\ncontent-length: 5\r\n\r\nhello");
    },
  );
});

test("pipelined requests are handled one after the other, in their order", async () => {
  const waiting: Exchange[] = [];
  await served(
    (exchange) => waiting.push(exchange),
    async ({ socket, until, text }) => {
      socket.write("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
      while (waiting.length === 0) await setImmediate();
      await quiet();
      assert.equal(waiting.length, 1);
      void say(waiting[0]!, "one;");
      while (waiting.length === 1) await setImmediate();
      void say(waiting[1]!, "two;");
      await until(/two;$/);
      assert.match(text(), /one;.*two;/s);
    },
  );
});

test("thousands of requests in one piece do not nest", async () => {
  let count = 0;
  await served(
    (exchange) => void say(exchange, `${count++};`),
    async ({ socket, until }) => {
      socket.write(GET.repeat(3000));
      await until(/2999;$/);
      assert.equal(count, 3000);
    },
  );
});

test("a body is asked for only when somebody wants it", async () => {
  await served(
    (exchange) =>
      void collect(exchange.body!, 100).then((got) => say(exchange, String(typeof got === "object" && got.bytes))),
    async ({ socket, until, text }) => {
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      await until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
      socket.write("abc");
      await until(/abc$/);
      assert.doesNotMatch(text(), /connection: close/);
    },
  );
});

test("a client that waits to send its body gets a refusal instead, and the connection ends", async () => {
  await served(
    (exchange) => void say(exchange, "no", 403),
    async ({ socket, closed, text }) => {
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      await closed();
      assert.match(text(), /^HTTP\/1\.1 403 .*connection: close\r\n\r\nno$/s);
    },
  );
});

test("a small body that nobody wants is read for the sake of the next request", async () => {
  await served(
    (exchange) => void say(exchange, exchange.head.method),
    async ({ socket, until }) => {
      socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc${GET}`);
      await until(/POST.*GET$/s);
    },
  );
});

test("a large body that nobody wants ends the connection, and the client still gets its answer", async () => {
  await served(
    (exchange) => void say(exchange, "too large", 413),
    async ({ socket, closed, text }) => {
      socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n${"x".repeat(1000)}`);
      await closed();
      assert.match(text(), /413 .*connection: close.*too large$/s);
    },
  );
});

test("a body of unknown length goes in chunks, with its trailers", async () => {
  await served(
    (exchange) =>
      void exchange.send({
        status: 200,
        fields: new Fields(),
        body: {
          length: undefined,
          open(sink: Sink) {
            sink.write(Buffer.from("abc"));
            sink.write(Buffer.alloc(20_000, "x"));
            sink.end(new Fields(["x-sum", "1", "content-length", "7"]));
          },
          cancel() {},
        },
      }),
    async ({ socket, until, text }) => {
      socket.write(GET);
      await until(/\r\n\r\n$/);
      await until(/0\r\nx-sum: 1\r\n\r\n$/);
      assert.match(text(), /transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n4e20\r\nx{20000}\r\n0\r\n/);
    },
  );
});

test("HTTP/1.0 gets a body of unknown length up to the end of the connection", async () => {
  const sink = Promise.withResolvers<Sink>();
  await served(
    (exchange) =>
      void exchange.send({
        status: 200,
        fields: new Fields(),
        body: { length: undefined, open: (opened) => sink.resolve(opened), cancel() {} },
      }),
    async ({ socket, closed, text, until }) => {
      socket.write("GET / HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
      const body = await sink.promise;
      await until(/connection: close\r\n\r\n$/);
      body.write(Buffer.from("abc"));
      body.end();
      await closed();
      assert.match(text(), /connection: close\r\n\r\nabc$/);
    },
  );
});

test("a body that breaks off, or is not as long as was told, ends the connection", async () => {
  const broken: ((sink: Sink) => void)[] = [
    (sink) => sink.abort(new Error("gone")),
    (sink) => sink.end(),
    (sink) => void sink.write(Buffer.from("more than three")),
  ];
  for (const open of broken) {
    const sent: Promise<Sent>[] = [];
    await served(
      (exchange) =>
        void sent.push(exchange.send({ status: 200, fields: new Fields(), body: { length: 3, open, cancel() {} } })),
      async ({ socket, closed, text }) => {
        socket.write(GET);
        await closed();
        assert.equal(text(), "");
        assert.equal((await sent[0]!).failure, "body_failed");
      },
    );
  }
});

test("answers to HEAD, 204 and 304 have no body whatever they are given", async () => {
  const statuses = [200, 204, 304];
  await served(
    (exchange) => void say(exchange, "body", statuses.shift()),
    async ({ socket, until, text }) => {
      socket.write(`HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n${GET}${GET}`);
      await until(/304 .*\r\n\r\n$/s);
      assert.doesNotMatch(text(), /body/);
      assert.match(text(), /200 OK\r\n[^]*content-length: 4\r\n\r\nHTTP\/1.1 204 No Content\r\ndate: [^\r]*\r\n\r\n/);
    },
  );
});

test("fields that would break the message are left out, whoever made them", async () => {
  await served(
    (exchange) =>
      void exchange.send({
        status: 200,
        fields: new Fields([
          "x",
          "a\r\nset-cookie: b",
          "y",
          "\u010d\u010a",
          "bad name",
          "z",
          "content-length",
          "99",
          "ok",
          "1",
        ]),
        body: undefined,
      }),
    async ({ socket, until, text }) => {
      socket.write(GET);
      await until(/\r\n\r\n$/);
      assert.match(text(), /^HTTP\/1\.1 200 OK\r\nok: 1\r\ndate: [^\r]*\r\ncontent-length: 0\r\n\r\n$/);
    },
  );
});

test("who leaves before the answer is told to those who make it", async () => {
  const gone = Promise.withResolvers<Sent>();
  let wasCancelled = false;
  await served(
    (exchange) => {
      exchange.onGone(() => {
        const body = { length: 1, open() {}, cancel: () => void (wasCancelled = true) };
        gone.resolve(exchange.send({ status: 200, fields: new Fields(), body }));
      });
    },
    async ({ socket }) => {
      socket.write(GET);
      await quiet();
      socket.destroy();
      assert.deepEqual(await gone.promise, { bytes: 0, failure: "client_gone" });
      assert.ok(wasCancelled);
    },
  );
});

test("who leaves within the answer ends its body", async () => {
  const cancelled = Promise.withResolvers<void>();
  const sent: Promise<Sent>[] = [];
  await served(
    (exchange) =>
      void sent.push(
        exchange.send({
          status: 200,
          fields: new Fields(),
          body: {
            length: undefined,
            open: (sink) => void sink.write(Buffer.from("a")),
            cancel: () => cancelled.resolve(),
          },
        }),
      ),
    async ({ socket, until }) => {
      socket.write(GET);
      await until(/1\r\na\r\n$/);
      socket.destroy();
      await cancelled.promise;
      assert.equal((await sent[0]!).failure, "client_gone");
    },
  );
});

test("a client that does not read makes the body wait, and loses the connection in time", async () => {
  let fills = 0;
  const sent: Promise<Sent>[] = [];
  const open = (sink: Sink): void => {
    const fill = (): void => {
      fills++;
      while (sink.write(Buffer.alloc(1 << 20)));
    };
    sink.onDrain(fill);
    fill();
  };
  await served(
    (exchange) =>
      void sent.push(
        exchange.send({ status: 200, fields: new Fields(), body: { length: undefined, open, cancel() {} } }),
      ),
    async ({ socket, clock }) => {
      socket.pause();
      socket.write(GET);
      for (let before = -1; fills === 0 || before !== fills;) {
        before = fills;
        await quiet();
      }
      // In the first span the network may still have taken some.
      for (let span = 0; span < 2; span++) clock.advance(31_000);
      assert.equal((await sent[0]!).failure, "client_gone");
    },
  );
});

test("a client that does not read small answers loses the connection in time", async () => {
  let ended = 0;
  await served(
    (exchange) => void say(exchange, "x".repeat(1000)).then(() => ended++),
    async ({ socket, peer, clock, closed }) => {
      socket.pause();
      for (let before = -1; !peer.writableNeedDrain || before !== ended;) {
        before = ended;
        if (!peer.writableNeedDrain) socket.write(GET.repeat(500));
        await quiet();
      }
      for (let span = 0; span < 2; span++) clock.advance(31_000);
      assert.equal(peer.destroyed, true);
      socket.resume();
      await closed();
    },
  );
});

test("a client that reads slowly, but reads, gets a large answer that was there at once", async () => {
  const size = 32 << 20;
  const sent: Promise<Sent>[] = [];
  await served(
    (exchange) =>
      void sent.push(exchange.send({ status: 200, fields: new Fields(), body: bytesSource(Buffer.alloc(size, "x")) })),
    async ({ socket, peer, clock }) => {
      let got = 0;
      socket.on("data", (chunk: Buffer) => (got += chunk.length));
      socket.pause();
      socket.write(GET);
      while (!peer.writableNeedDrain) await setImmediate();
      while (peer.writableNeedDrain && !peer.destroyed) {
        const before = got;
        socket.resume();
        while (got < before + (4 << 20) && peer.writableNeedDrain && !peer.destroyed) await setImmediate();
        socket.pause();
        clock.advance(29_000);
      }
      socket.resume();
      while (got < size && !peer.destroyed) await setImmediate();
      assert.deepEqual(await sent[0], { bytes: size, failure: undefined });
    },
  );
});

/** A body that ends as soon as the last of it waits in the process. */
function fillsUp(peer: Socket, ended: () => void): Source {
  return {
    length: undefined,
    open(sink) {
      const more = async (): Promise<void> => {
        while (peer.writableLength === 0) {
          sink.write(Buffer.alloc(20_000, "x"));
          await quiet();
        }
        sink.end();
        ended();
      };
      void more();
    },
    cancel() {},
  };
}

test("the last answer is whole for a client that reads late, and not sent to one that does not", async () => {
  for (const reads of [true, false]) {
    const waiting = Promise.withResolvers<Exchange>();
    await served(waiting.resolve, async ({ socket, peer, clock, text, closed }) => {
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      const exchange = await waiting.promise;
      const ended = Promise.withResolvers<void>();
      const body = fillsUp(peer, ended.resolve);
      const sent = exchange.send({ status: 200, fields: new Fields(), body });
      await ended.promise;
      await quiet();
      assert.ok(peer.writableLength > 0);
      clock.advance(20_000);
      await quiet();
      assert.equal(peer.destroyed, false);
      if (reads) socket.resume();
      else for (let span = 0; span < 2; span++) clock.advance(31_000);
      assert.equal((await sent).failure, reads ? undefined : "client_gone");
      socket.resume();
      await closed();
      assert.equal(text().endsWith("\r\n0\r\n\r\n"), reads);
    });
  }
});

test("what comes too slowly is refused: a head, a body", async () => {
  await served(
    () => {},
    async ({ socket, clock, closed, text }) => {
      socket.write("GET / HT");
      await quiet();
      clock.advance(9000);
      socket.write("TP/1.1\r\n");
      await quiet();
      clock.advance(2000);
      await closed();
      assert.match(text(), /^HTTP\/1\.1 408 /);
    },
  );
  await served(
    (exchange) => void collect(exchange.body!, 10_000).catch(() => {}),
    async ({ socket, clock, closed, text, refusals }) => {
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999\r\n\r\nabc");
      await quiet();
      clock.advance(31_000);
      await closed();
      assert.match(text(), /^HTTP\/1\.1 408 /);
      assert.equal(refusals[0]?.reason, "the body took too long");
    },
  );
});

test("a connection without requests ends in time, without a word", async () => {
  await served(
    (exchange) => void say(exchange, "x"),
    async ({ socket, clock, closed, until, text }) => {
      socket.write(GET);
      await until(/x$/);
      const before = text();
      clock.advance(70_000);
      await quiet();
      assert.equal(socket.readyState, "open");
      clock.advance(6000);
      await closed();
      assert.equal(text(), before);
    },
  );
});

test("a drained connection finishes what is under way and says that it was the last", async () => {
  const waiting: Exchange[] = [];
  await served(
    (exchange) => waiting.push(exchange),
    async ({ socket, connection, closed, text }) => {
      socket.write(GET);
      while (waiting.length === 0) await setImmediate();
      connection.drain();
      void say(waiting[0]!, "last");
      await closed();
      assert.match(text(), /connection: close\r\n\r\nlast$/);
    },
  );
});

test("a connection that has nothing under way is drained at once", async () => {
  await served(
    (exchange) => void say(exchange, "x"),
    async ({ socket, connection, closed, until }) => {
      socket.write(GET);
      await until(/x$/);
      connection.drain();
      await closed();
    },
  );
});

test("the last request that a connection may have is answered as such", async () => {
  await served(
    (exchange) => void say(exchange, "x"),
    async ({ socket, closed, text }) => {
      socket.write(GET.repeat(3));
      await closed();
      assert.equal(text().split("HTTP/1.1 200").length, 3);
      assert.match(text(), /connection: close\r\n\r\nx$/);
    },
    { requests: 2 },
  );
});

test("requests that come while one is under way are kept within bounds", async () => {
  await served(
    () => {},
    async ({ socket }) => {
      for (let pieces = 0; socket.writableLength === 0 && pieces < 200; pieces++) {
        socket.write(Buffer.from(GET.repeat(10_000)));
        await quiet();
      }
      assert.ok(socket.writableLength > 0, "the client has to wait");
    },
  );
});

test("a body that nobody opens waits within bounds, also behind one that waited and was not wanted", async () => {
  const waiting: Exchange[] = [];
  await served(
    (exchange) => waiting.push(exchange),
    async ({ socket }) => {
      const first = `POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 17000\r\n\r\n${"a".repeat(17_000)}`;
      const second = `POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n${"b".repeat(20_000)}`;
      socket.write(first + second);
      while (waiting.length === 0) await setImmediate();
      await quiet();
      void say(waiting[0]!, "no", 404);
      while (waiting.length === 1) await setImmediate();
      for (let pieces = 0; socket.writableLength === 0 && pieces < 200; pieces++) {
        socket.write(Buffer.alloc(1 << 18));
        await quiet();
      }
      assert.ok(socket.writableLength > 0, "the client has to wait");
    },
  );
});

test("after 101 both directions are raw, what came early included, and each ends on its own", async () => {
  await served(
    (exchange) => {
      const { body, head } = exchange;
      assert.equal(head.upgrade, "websocket");
      void exchange.send({
        status: 101,
        fields: new Fields(["sec-websocket-accept", "x"]),
        body: {
          length: undefined,
          open(sink) {
            body?.open({
              write: (chunk) => sink.write(Buffer.from(`<${Buffer.from(chunk).toString()}>`)),
              end() {
                sink.write(Buffer.from("<end>"));
                sink.end();
              },
              abort() {},
              onDrain() {},
            });
          },
          cancel() {},
        },
      });
    },
    async ({ socket, until, closed, text }) => {
      socket.write("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\nearly");
      await until(/<early>$/);
      socket.write("GET / HTTP/1.1\r\n\r\n");
      await until(/<GET \/ HTTP\/1.1\r\n\r\n>$/);
      socket.end();
      await closed();
      assert.match(
        text(),
        /^HTTP\/1\.1 101 Switching Protocols\r\nsec-websocket-accept: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n</,
      );
      assert.match(text(), /<end>$/);
    },
  );
});

test("a client that ends its side before its answer is gone, as other proxies see it", async () => {
  const gone = Promise.withResolvers<void>();
  await served(
    (exchange) => exchange.onGone(() => gone.resolve()),
    async ({ socket, closed }) => {
      socket.end(GET);
      await gone.promise;
      await closed();
    },
  );
});

test("a client that stops within a body that nobody wants loses the connection in time", async () => {
  await served(
    (exchange) => void say(exchange, "no", 403),
    async ({ socket, clock, until, closed }) => {
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc");
      await until(/no$/);
      clock.advance(31_000);
      await closed();
    },
  );
});

test("a change of protocol that nobody asked for ends the connection", async () => {
  const sent: Promise<Sent>[] = [];
  await served(
    (exchange) => void sent.push(exchange.send({ status: 101, fields: new Fields(), body: undefined })),
    async ({ socket, closed, text }) => {
      socket.write(GET);
      await closed();
      assert.equal(text(), "");
      assert.equal((await sent[0]!).failure, "body_failed");
    },
  );
});

test("a body that breaks the rules is refused, and whoever works on the request is told", async () => {
  const gone = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<unknown>();
  await served(
    (exchange) => {
      exchange.onGone(() => gone.resolve());
      collect(exchange.body!, 100).catch(broken.resolve);
    },
    async ({ socket, closed, text, refusals }) => {
      socket.write("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nx\r\n");
      await gone.promise;
      await broken.promise;
      await closed();
      assert.match(text(), /^HTTP\/1\.1 400 .*the size of a chunk is no number\n$/s);
      assert.equal(refusals.length, 1);
    },
  );
});
