import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Fields, http1Upstream, UpstreamError } from "@gatewright/gateway";
import type { Source } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import { RESPONSE_CASES } from "./desync-responses.ts";
import type { ResponseCase } from "./desync-responses.ts";

let server: Server;
let pieces: readonly Buffer[] = [];
let closes = false;

before(async () => {
  server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => void speak(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

after(() => void server.close());

async function speak(socket: Socket): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await setImmediate();
  }
  if (closes) socket.end();
}

/** Sends a request and tells what came of it, in the form of a case. */
async function verdict(given: ResponseCase, sent: readonly Buffer[]): Promise<Pick<ResponseCase, "answer" | "isKept">> {
  pieces = sent;
  closes = given.closes ?? false;
  const upstream = http1Upstream(
    { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    {
      clock: systemClock,
      maxConnections: 1,
      maxPending: 0,
      idleTimeoutMs: 30_000,
      connectTimeoutMs: 10_000,
      maxRequestsPerConnection: 100,
    },
  );
  const asksUpgrade = given.asksUpgrade ?? false;
  const exchange = upstream.send({
    method: given.method ?? "GET",
    scheme: "http",
    authority: "a",
    target: "/",
    fields: new Fields(),
    body: asksUpgrade ? { length: undefined, open: (sink) => sink.end(), cancel() {} } : undefined,
    upgrade: asksUpgrade ? "websocket" : undefined,
  });
  let text: string;
  try {
    const { status, body } = await exchange.answer;
    text = `${status} ${body === undefined ? "" : await read(body)}`;
  } catch (error) {
    assert.ok(error instanceof UpstreamError);
    text = error.failure;
    assert.equal(error.unseen, false);
  }
  // Surplus bytes may come a moment after what they follow.
  for (let turn = 0; turn < 10 || (!given.isKept && upstream.connections > 0 && turn < 10_000); turn++)
    await setImmediate();
  const isKept = upstream.connections > 0;
  exchange.cancel(new Error("over"));
  upstream.close();
  return { answer: text, isKept };
}

function read(source: Source): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  source.open({
    write(chunk) {
      text += Buffer.from(chunk).toString("latin1");
      return true;
    },
    end: () => resolve(text),
    abort: () => resolve(`${text}!`),
    onDrain() {},
  });
  return promise;
}

const bytesOf = ({ bytes }: ResponseCase): Buffer => Buffer.from(bytes, "latin1");

test(`each of ${RESPONSE_CASES.length} answers has its one meaning`, async (t) => {
  for (const given of RESPONSE_CASES) {
    await t.test(given.name, async () => {
      const { answer, isKept } = given;
      assert.deepEqual(await verdict(given, [bytesOf(given)]), { answer, isKept });
    });
  }
});

test("the same bytes one by one mean the same", async () => {
  for (const given of RESPONSE_CASES) {
    const bytes = bytesOf(given);
    const step = bytes.length > 2000 ? 97 : 1;
    const single = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
      bytes.subarray(at * step, (at + 1) * step),
    );
    const { answer, isKept } = given;
    assert.deepEqual(await verdict(given, single), { answer, isKept }, given.name);
  }
});
