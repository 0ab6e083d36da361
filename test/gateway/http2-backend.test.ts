import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Fields, http2Upstream, UpstreamError } from "@gatewright/gateway";
import type { Upstream } from "@gatewright/gateway";
import { nextTurn, systemClock } from "@gatewright/ports";
import { fieldBlock, FLAG, frame, FRAME, number, reset, settings, windowUpdate } from "./http2-frames.ts";
import type { Field } from "./http2-frames.ts";

/** A backend that answers every request by the bytes that it is told to. */
async function backend(
  t: TestContext,
  answer: (stream: number, connection: number) => Buffer,
  first: Buffer = settings(),
): Promise<{ upstream: Upstream; opened: () => number }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket);
    let rest = Buffer.alloc(0);
    let isBegun = false;
    socket.on("error", () => {});
    socket.write(first);
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      if (!isBegun) {
        if (rest.length < 24) return;
        rest = rest.subarray(24);
        isBegun = true;
      }
      while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
        const [type, flags] = rest.subarray(3, 5);
        const stream = rest.readUInt32BE(5);
        rest = rest.subarray(9 + rest.readUIntBE(0, 3));
        if (type === FRAME.settings && flags === 0) socket.write(frame(FRAME.settings, FLAG.ack, 0));
        if (type === FRAME.headers) socket.write(answer(stream, connection));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const upstream = http2Upstream({ host: "127.0.0.1", port }, { clock: systemClock });
  t.after(() => {
    upstream.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { upstream, opened: () => sockets.length };
}

interface Outcome {
  readonly status?: number;
  readonly text?: string;
  readonly fields?: readonly string[];
  readonly failure?: string;
  readonly unseen?: boolean;
}

/** Asks, and reads the answer to its end. */
async function ask(upstream: Upstream, method = "GET"): Promise<Outcome> {
  const fields = new Fields();
  const request = {
    method,
    scheme: "http",
    authority: "a.test",
    target: "/",
    fields,
    body: undefined,
    upgrade: undefined,
  } as const;
  try {
    const { status, fields: got, body } = await upstream.send(request).answer;
    let text = "";
    await new Promise<void>((resolve, reject) => {
      if (body === undefined) resolve();
      else
        body.open({
          write(chunk) {
            text += Buffer.from(chunk).toString();
            return true;
          },
          end: () => resolve(),
          abort: reject,
          onDrain() {},
        });
    });
    return { status, text, fields: got.flat };
  } catch (error) {
    assert.ok(error instanceof UpstreamError, String(error));
    return { failure: error.failure, unseen: error.unseen };
  }
}

const OK: readonly Field[] = [[":status", "200"]];

function head(stream: number, fields: readonly Field[] = OK, flags = 0): Buffer {
  return frame(FRAME.headers, FLAG.endHeaders | flags, stream, fieldBlock(fields));
}

function data(stream: number, text: string, flags = 0): Buffer {
  return frame(FRAME.data, flags, stream, Buffer.from(text));
}

function goaway(lastStream: number, code: number): Buffer {
  return frame(FRAME.goaway, 0, 0, Buffer.concat([number(lastStream), number(code)]));
}

test("a whole answer in one piece is whole", async (t) => {
  const { upstream } = await backend(t, (stream) => Buffer.concat([head(stream), data(stream, "all", FLAG.endStream)]));
  assert.deepEqual(await ask(upstream), { status: 200, text: "all", fields: [] });
});

/** Answers that break off or contradict themselves. */
const BROKEN: Readonly<Record<string, (stream: number) => Buffer>> = {
  "a reset without an error before the end": (stream) =>
    Buffer.concat([head(stream), data(stream, "half"), reset(stream, 0)]),
  "a reset before the end": (stream) => Buffer.concat([head(stream), data(stream, "half"), reset(stream, 2)]),
  "a length that is longer": (stream) =>
    Buffer.concat([head(stream, [...OK, ["content-length", "9"]]), data(stream, "half", FLAG.endStream)]),
  "a length that is shorter": (stream) =>
    Buffer.concat([head(stream, [...OK, ["content-length", "2"]]), data(stream, "half", FLAG.endStream)]),
  "a length that is none": (stream) =>
    Buffer.concat([head(stream, [...OK, ["content-length", "4,4"]]), data(stream, "half", FLAG.endStream)]),
  "two lengths": (stream) =>
    Buffer.concat([
      head(stream, [...OK, ["content-length", "4"], ["content-length", "2"]]),
      data(stream, "half", FLAG.endStream),
    ]),
  "no status": (stream) => head(stream, [["x-a", "1"]], FLAG.endStream),
  "a status that is none": (stream) => head(stream, [[":status", "20x"]], FLAG.endStream),
  "a status of two digits": (stream) => head(stream, [[":status", "99"]], FLAG.endStream),
  "a change of protocol": (stream) => head(stream, [[":status", "101"]], FLAG.endStream),
  "a request's field": (stream) => head(stream, [...OK, [":path", "/"]], FLAG.endStream),
  "a field about the connection": (stream) => head(stream, [...OK, ["transfer-encoding", "chunked"]], FLAG.endStream),
  "a body without a head": (stream) => data(stream, "all", FLAG.endStream),
  "a push": (stream) => frame(FRAME.pushPromise, FLAG.endHeaders, stream, Buffer.concat([number(2), fieldBlock(OK)])),
  "a head that cannot be read": (stream) =>
    frame(FRAME.headers, FLAG.endHeaders, stream, Buffer.from([0xff, 0xff, 0xff])),
  "a window of nothing": () => windowUpdate(0, 0),
  "the answer of another protocol": () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "a head that is too large": (stream) =>
    head(stream, [...OK, ...Array.from({ length: 300 }, (_, at): Field => [`x-${at}`, "1"])], FLAG.endStream),
};

for (const [name, answer] of Object.entries(BROKEN)) {
  test(`an answer that is not whole or not proper is none: ${name}`, async (t) => {
    const { upstream } = await backend(t, answer);
    const { failure, unseen } = await ask(upstream);
    assert.ok(failure === "reset" || failure === "protocol", failure);
    assert.equal(unseen, false);
    assert.equal(upstream.active, 0);
  });
}

test("fields that could end a line do not get through", async (t) => {
  const { upstream } = await backend(t, (stream) =>
    head(stream, [...OK, ["x-a", "b\r\nx-evil: 1"], ["x b", "c"], ["x-ok", "1"], ["keep", "a b"]], FLAG.endStream),
  );
  assert.deepEqual((await ask(upstream)).fields, ["x-ok", "1", "keep", "a b"]);
});

test("words before the answer are not the answer", async (t) => {
  const { upstream } = await backend(t, (stream) =>
    Buffer.concat([
      head(stream, [
        [":status", "103"],
        ["link", "x"],
      ]),
      head(stream, [[":status", "100"]]),
      head(stream),
      data(stream, "all", FLAG.endStream),
    ]),
  );
  assert.deepEqual(await ask(upstream), { status: 200, text: "all", fields: [] });
});

test("what a backend that leaves has not seen may be sent elsewhere, and the next request gets another connection", async (t) => {
  for (const code of [0, 2]) {
    const { upstream, opened } = await backend(t, (stream, connection) =>
      connection === 1 ? goaway(0, code) : Buffer.concat([head(stream), data(stream, "other", FLAG.endStream)]),
    );
    assert.deepEqual(await ask(upstream), { failure: "refused_stream", unseen: true });
    assert.equal((await ask(upstream)).text, "other");
    assert.equal(opened(), 2);
  }
});

test("what a leaving backend has seen is answered", async (t) => {
  const { upstream } = await backend(t, (stream) =>
    Buffer.concat([goaway(0x7fffffff, 0), head(stream), goaway(stream, 0), data(stream, "last", FLAG.endStream)]),
  );
  assert.equal((await ask(upstream)).text, "last");
  assert.equal((await ask(upstream)).text, "last");
});

test("a backend that takes one request at a time gets a connection for each", async (t) => {
  const held: number[] = [];
  const { upstream, opened } = await backend(
    t,
    (stream, connection) => {
      held.push(connection);
      return held.length === 1 ? Buffer.concat([head(stream), data(stream, "1", FLAG.endStream)]) : head(stream);
    },
    settings([[3, 1]]),
  );
  await ask(upstream);
  while (upstream.active > 0) await nextTurn();
  void ask(upstream);
  void ask(upstream);
  while (held.length < 3) await nextTurn();
  assert.deepEqual(held, [1, 1, 2]);
  assert.equal(opened(), 2);
});
