import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ManualClock } from "@gatewright/ports";
import { bytesSource, collect } from "../exchange/bodies.ts";
import type { Sink, Source } from "../exchange/body.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamExchange } from "../upstream/upstream.ts";
import { http1Upstream } from "./http1-upstream.ts";
import { quiet } from "./testing/served.ts";
import { request, scripted } from "./testing/scripted-backend.ts";

const EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

async function failureOf({ answer }: UpstreamExchange): Promise<UpstreamError> {
  try {
    await answer;
  } catch (error) {
    assert.ok(error instanceof UpstreamError, String(error));
    return error;
  }
  throw new Error("there is an answer");
}

async function textOf(body: Source | undefined): Promise<string> {
  if (body === undefined) return "";
  const got = await collect(body, 1 << 20);
  return got === "too-large" ? got : got.bytes.toString();
}

/** A body whose sink a test writes to itself. */
function openBody(length?: number): {
  readonly source: Source;
  readonly sink: Promise<Sink>;
  readonly isCancelled: () => boolean;
} {
  const { promise, resolve } = Promise.withResolvers<Sink>();
  let isCancelled = false;
  const source = { length, open: resolve, cancel: () => void (isCancelled = true) };
  return { source, sink: promise, isCancelled: () => isCancelled };
}

test("a request is one write, and its connection serves the next one", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const first = upstream.send(request("/1", "POST", bytesSource(Buffer.from("abc"))));
    const backend = await connection(0);
    await backend.until(/abc$/);
    assert.equal(backend.text(), "POST /1 HTTP/1.1\r\nhost: h\r\ncontent-length: 3\r\n\r\nabc");
    assert.equal(upstream.active, 1);
    backend.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    assert.equal(await textOf((await first.answer).body), "hi");
    assert.equal(upstream.active, 0);
    const second = upstream.send(request("/2", "POST"));
    await backend.until(/POST \/2 HTTP\/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n$/);
    backend.socket.write(EMPTY);
    assert.equal((await second.answer).body, undefined);
    assert.equal(upstream.connections, 1);
  });
});

test("requests wait in line for a connection, and one too many is refused unseen", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const sent = ["/1", "/2", "/3", "/4"].map((target) => upstream.send(request(target)));
    const { failure, unseen } = await failureOf(sent[3]!);
    assert.deepEqual([failure, unseen], ["overflow", true]);
    const [one, two] = [await connection(0), await connection(1)];
    await one.until(/GET/);
    await two.until(/GET/);
    assert.deepEqual([upstream.connections, upstream.active], [2, 3]);
    two.socket.write(EMPTY);
    await two.until(/\/3 HTTP/);
    one.socket.write(EMPTY);
    two.socket.write(EMPTY);
    await Promise.all(sent.slice(0, 3).map(({ answer }) => answer));
    assert.equal(upstream.active, 0);
  });
});

test("the connection that was used last is used first, and the others end when they are old", async () => {
  await scripted({}, async ({ upstream, connection, clock }) => {
    const both = [upstream.send(request("/1")), upstream.send(request("/2"))];
    const [one, two] = [await connection(0), await connection(1)];
    await Promise.all([one.until(/GET/), two.until(/GET/)]);
    one.socket.write(EMPTY);
    await quiet();
    two.socket.write(EMPTY);
    await Promise.all(both.map(({ answer }) => answer));
    clock.advance(20_000);
    const third = upstream.send(request("/3"));
    await two.until(/\/3/);
    two.socket.write(EMPTY);
    await third.answer;
    clock.advance(11_000);
    await one.closed();
    while (upstream.connections > 1) await setImmediate();
  });
});

test("a connection that cannot be made fails one request, unseen", async () => {
  const clock = new ManualClock();
  const options = {
    clock,
    maxConnections: 1,
    maxPending: 0,
    idleTimeoutMs: 1000,
    connectTimeoutMs: 5000,
    maxRequestsPerConnection: 1,
  };
  const refused = http1Upstream({ host: "127.0.0.1", port: 1 }, options);
  const first = await failureOf(refused.send(request("/")));
  assert.deepEqual([first.failure, first.unseen], ["connect", true]);
  assert.match(first.message, /ECONNREFUSED/);
  const slow = http1Upstream({ host: "slow.example", port: 1, lookup() {} }, options);
  const sent = slow.send(request("/"));
  clock.advance(5000);
  const second = await failureOf(sent);
  assert.deepEqual([second.failure, second.unseen], ["connect", true]);
  assert.deepEqual([slow.active, slow.connections, clock.pending], [0, 0, 0]);
});

test("a backend that does not speak TLS is told apart from one that is not there", async () => {
  await scripted({}, async ({ clock, port, connection }) => {
    const secure = http1Upstream(
      { host: "127.0.0.1", port, tls: { rejectUnauthorized: false } },
      {
        clock,
        maxConnections: 1,
        maxPending: 0,
        idleTimeoutMs: 1000,
        connectTimeoutMs: 5000,
        maxRequestsPerConnection: 1,
      },
    );
    const sent = secure.send(request("/"));
    const backend = await connection(0);
    while (backend.text() === "") await setImmediate();
    backend.socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    const { failure, unseen } = await failureOf(sent);
    assert.deepEqual([failure, unseen], ["tls", true]);
  });
});

test("a kept connection that the backend closes says so, and nobody claims that the request was not seen", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const first = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    backend.socket.write(EMPTY);
    await first.answer;
    const second = upstream.send(request("/2"));
    await backend.until(/\/2/);
    backend.socket.resetAndDestroy();
    const error = await failureOf(second);
    assert.deepEqual([error.failure, error.unseen], ["reset", false]);
    assert.ok(error.stale);
    assert.match(error.message, /that was kept, before it answered/);
  });
});

test("a connection that the backend closes while it rests is not used again", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const first = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    backend.socket.end(EMPTY);
    await first.answer;
    while (upstream.connections > 0) await setImmediate();
    const second = upstream.send(request("/2"));
    const other = await connection(1);
    await other.until(/\/2/);
    other.socket.write(EMPTY);
    await second.answer;
  });
});

test("a connection that is being closed is not used, not even in the same moment", async () => {
  await scripted({}, async ({ upstream, connection, clock }) => {
    const first = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    backend.socket.write(EMPTY);
    await first.answer;
    clock.advance(31_000);
    const second = upstream.send(request("/2"));
    const other = await connection(1);
    await other.until(/\/2/);
    other.socket.write(EMPTY);
    await second.answer;
  });
});

test("a request can be cancelled in line, before its answer, and within it", async () => {
  await scripted({ maxConnections: 1 }, async ({ upstream, connection }) => {
    const why = new Error("enough");
    const first = upstream.send(request("/1"));
    const waiting = upstream.send(request("/2"));
    waiting.cancel(why);
    await assert.rejects(waiting.answer, why);
    const backend = await connection(0);
    await backend.until(/GET/);
    first.cancel(why);
    await assert.rejects(first.answer, why);
    await backend.closed();
    const third = upstream.send(request("/3"));
    const next = await connection(1);
    await next.until(/GET/);
    next.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    const reading = textOf((await third.answer).body);
    await quiet();
    third.cancel(why);
    await assert.rejects(reading, why);
    await next.closed();
    while (upstream.connections > 0) await setImmediate();
    assert.equal(upstream.active, 0);
  });
});

test("who does not want the rest of an answer ends its connection", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const sent = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    backend.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    (await sent.answer).body?.cancel();
    await backend.closed();
    while (upstream.connections > 0) await setImmediate();
  });
});

test("who wants no more with the last piece in hand ends the connection, once", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const sent = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    backend.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
    const { body } = await sent.answer;
    const told: string[] = [];
    body?.open({
      write(chunk) {
        told.push(Buffer.from(chunk).toString());
        if (told.length === 2) body.cancel();
        return true;
      },
      end: () => void told.push("end"),
      abort: () => void told.push("abort"),
      onDrain() {},
    });
    backend.socket.write("def");
    await backend.closed();
    while (upstream.connections > 0) await setImmediate();
    assert.deepEqual([told, upstream.active], [["abc", "def"], 0]);
  });
});

test("an answer that comes before the request is whole ends the request", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const { source, sink, isCancelled } = openBody(1000);
    const sent = upstream.send(request("/1", "POST", source));
    (await sink).write(Buffer.from("abc"));
    const backend = await connection(0);
    await backend.until(/abc$/);
    backend.socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
    const { status, body } = await sent.answer;
    assert.deepEqual([status, await textOf(body)], [413, "no"]);
    assert.ok(isCancelled());
    await backend.closed();
  });
});

test("both bodies flow at the same time", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const { source, sink } = openBody();
    const sent = upstream.send(request("/1", "POST", source));
    const up = await sink;
    const backend = await connection(0);
    await backend.until(/transfer-encoding: chunked\r\n\r\n$/);
    backend.socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
    const reading = textOf((await sent.answer).body);
    up.write(Buffer.from("abc"));
    await backend.until(/3\r\nabc\r\n$/);
    up.end();
    await backend.until(/0\r\n\r\n$/);
    backend.socket.write("0\r\n\r\n");
    assert.equal(await reading, "hi");
    assert.equal(upstream.connections, 1);
  });
});

test("a request whose body breaks off fails with the reason, and the backend sees no whole request", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const { source, sink } = openBody();
    const sent = upstream.send(request("/1", "POST", source));
    const why = new Error("the client is gone");
    (await sink).write(Buffer.from("abc"));
    const backend = await connection(0);
    await backend.until(/abc\r\n$/);
    (await sink).abort(why);
    await assert.rejects(sent.answer, why);
    await backend.closed();
    assert.doesNotMatch(backend.text(), /0\r\n\r\n$/);
  });
});

test("who has no room for more of an answer makes the backend wait", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const sent = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    const size = 64 << 20;
    backend.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    backend.socket.write(Buffer.alloc(size));
    let got = 0;
    let more = (): void => {};
    const done = Promise.withResolvers<void>();
    let isFull = true;
    (await sent.answer).body?.open({
      write(chunk) {
        got += chunk.length;
        return !isFull;
      },
      end: () => done.resolve(),
      abort: (error) => done.reject(error),
      onDrain: (listener) => (more = listener),
    });
    await quiet();
    assert.ok(got < size, "it does not all come");
    isFull = false;
    more();
    await done.promise;
    assert.equal(got, size);
  });
});

test("what cannot be written as one request line is not written", async () => {
  await scripted({}, async ({ upstream }) => {
    for (const target of ["/a b", "/a\r\nX: y", "/\u010d\u010a", ""]) {
      const { failure, unseen } = await failureOf(upstream.send(request(target)));
      assert.deepEqual([failure, unseen], ["protocol", true]);
    }
  });
});

test("a connection has no more requests than it may", async () => {
  await scripted({ maxRequestsPerConnection: 1 }, async ({ upstream, connection }) => {
    for (const index of [0, 1]) {
      const sent = upstream.send(request("/"));
      const backend = await connection(index);
      await backend.until(/GET/);
      backend.socket.write(EMPTY);
      await sent.answer;
      await backend.closed();
    }
  });
});

test("a closed pool takes nothing more and lets the rest finish", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const sent = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/GET/);
    upstream.close();
    assert.equal((await failureOf(upstream.send(request("/2")))).unseen, true);
    backend.socket.write(EMPTY);
    await sent.answer;
    await backend.closed();
  });
});

test("another protocol flows both ways, and each direction ends on its own", async () => {
  await scripted({}, async ({ upstream, connection }) => {
    const { source, sink } = openBody();
    const sent = upstream.send({ ...request("/ws", "GET", source), upgrade: "websocket" });
    const backend = await connection(0);
    await backend.until(/connection: upgrade\r\nupgrade: websocket\r\n\r\n$/);
    backend.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\nearly");
    const { status, body } = await sent.answer;
    assert.equal(status, 101);
    let isOpen = false;
    void sink.then(() => (isOpen = true));
    await quiet();
    assert.ok(!isOpen, "nothing of the client flows before somebody takes the answer");
    const reading = textOf(body);
    (await sink).write(Buffer.from("up"));
    await backend.until(/\r\n\r\nup$/);
    (await sink).end();
    while (!backend.socket.readableEnded) await setImmediate();
    backend.socket.end(" and late");
    assert.equal(await reading, "early and late");
    while (upstream.connections > 0) await setImmediate();
  });
});

test("a connection whose reader had no room for the last piece of an answer serves the next request", async () => {
  await scripted({ maxConnections: 1 }, async ({ upstream, connection }) => {
    const first = upstream.send(request("/1"));
    const backend = await connection(0);
    await backend.until(/\/1 /);
    backend.socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
    const ended = Promise.withResolvers<void>();
    let drain = (): void => {};
    (await first.answer).body?.open({
      write: () => false,
      end: () => ended.resolve(),
      abort: ended.reject,
      onDrain: (more) => (drain = more),
    });
    drain();
    backend.socket.write("b");
    await ended.promise;
    let status: number | undefined;
    void upstream.send(request("/2")).answer.then((answer) => (status = answer.status));
    await backend.until(/\/2 /);
    backend.socket.write(EMPTY);
    await quiet();
    assert.equal(status, 200);
  });
});
