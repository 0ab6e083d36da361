import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { Upstream } from "@gatewright/gateway";
import { REQUEST_CASES } from "./desync-requests.ts";
import type { RequestCase } from "./desync-requests.ts";
import { echoBackend } from "./echo-backend.ts";
import type { EchoBackend } from "./echo-backend.ts";
import { visit } from "./forwarding-gateway.ts";
import { backendConnections } from "./backend-connections.ts";

let backend: EchoBackend;
let upstream: Upstream;

before(async () => {
  backend = await echoBackend();
  upstream = backendConnections(backend.port, 8);
});

after(() => {
  upstream.close();
  backend.close();
});

/** The turns of the event loop after which nothing more is expected to happen of itself. */
const QUIET_TURNS = 20;

/** Sends pieces on a new connection and tells what became of them, in the form of a case. */
async function verdict(pieces: readonly Buffer[], expected: RequestCase): Promise<Omit<RequestCase, "name" | "bytes">> {
  const from = backend.seen.length;
  const { socket, connection } = visit(upstream);
  await socket.give(pieces);
  for (let quiet = 0; quiet < QUIET_TURNS;) {
    const before = `${backend.seen.length} ${socket.written.length} ${socket.isEnded} ${upstream.active}`;
    await setImmediate();
    const isSame = before === `${backend.seen.length} ${socket.written.length} ${socket.isEnded} ${upstream.active}`;
    // A request that waits for its own end is under way as long as it likes; any other has to come to its end first.
    quiet = isSame && (upstream.active === 0 || expected.outcome === "waiting") ? quiet + 1 : 0;
  }
  const statuses = [...socket.written.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  const refusal = statuses.find((status) => status !== 200);
  const seen = backend.seen.slice(from).map(({ line }) => line);
  assert.deepEqual(statuses.filter((status) => status === 200).length, seen.length, "every request has its answer");
  const isWaiting = expected.outcome === "waiting" && !socket.isEnded && socket.written === "";
  connection.destroy();
  return { seen, outcome: refusal ?? (isWaiting ? "waiting" : socket.isEnded ? "closed" : "open") };
}

const bytesOf = ({ bytes }: RequestCase): Buffer => Buffer.from(bytes, "latin1");

test(`each of ${REQUEST_CASES.length} inputs has its one meaning`, async (t) => {
  for (const input of REQUEST_CASES) {
    await t.test(input.name, async () => {
      const { seen, outcome } = input;
      assert.deepEqual(await verdict([bytesOf(input)], input), { seen, outcome });
    });
  }
});

test("the same bytes one by one mean the same", async () => {
  for (const input of REQUEST_CASES) {
    const bytes = bytesOf(input);
    // What is long is long in its middle: there it comes in larger pieces.
    const cuts = bytes.length > 2000 ? everyTo(bytes.length, 97) : everyTo(bytes.length, 1);
    const { seen, outcome } = input;
    assert.deepEqual(await verdict(cut(bytes, cuts), input), { seen, outcome }, input.name);
  }
});

test("the same bytes in any pieces mean the same", async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...REQUEST_CASES),
    fc.array(fc.nat(20_000), { maxLength: 6 }),
    async (input, places) => {
      const bytes = bytesOf(input);
      const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
      const { seen, outcome } = input;
      assert.deepEqual(await verdict(cut(bytes, cuts), input), { seen, outcome });
    },
  );
  await fc.assert(property, { numRuns: 300, seed: 20_261_116 });
});

test("whatever was forwarded, the backend could read it", () => {
  assert.deepEqual(backend.complaints, []);
});

test("framing and hop-by-hop fields are never passed on, and bytes of values stay", async () => {
  const { socket, connection } = visit(upstream);
  const from = backend.seen.length;
  const fields = [
    "Host: a",
    "Connection: keep-alive, X-Hop",
    "X-Hop: 1",
    "Keep-Alive: timeout=5",
    "Proxy-Connection: keep-alive",
    "Proxy-Authorization: Basic x",
    "TE: trailers",
    "Trailer: X",
    "Upgrade: h2c",
    "X_Under: 1",
    "X-Bytes: \x85b\xa0",
  ];
  await socket.give([Buffer.from(`GET /x HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`, "latin1")]);
  while (backend.seen.length === from) await setImmediate();
  assert.deepEqual(backend.seen[from]?.rawHeaders, ["host", "a", "x-bytes", "\x85b\xa0"]);
  connection.destroy();
});

function everyTo(length: number, step: number): number[] {
  return Array.from({ length: Math.floor((length - 1) / step) }, (_, at) => (at + 1) * step);
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  return [0, ...places]
    .map((start, at) => bytes.subarray(start, places[at] ?? bytes.length))
    .filter(({ length }) => length > 0);
}
