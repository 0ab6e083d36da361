import assert from "node:assert/strict";
import { createServer, METHODS } from "node:http";
import type { IncomingMessage } from "node:http";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import type { Upstream } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import { changedBytes, FUZZ } from "./byte-changes.ts";
import { REQUEST_CASES } from "./desync-requests.ts";
import { echoBackend } from "./echo-backend.ts";
import type { EchoBackend } from "./echo-backend.ts";
import { visit } from "./forwarding-gateway.ts";
import { MemorySocket } from "./memory-socket.ts";
import { backendConnections } from "./backend-connections.ts";

let backend: EchoBackend;
let upstream: Upstream;

before(async () => {
  backend = await echoBackend();
  upstream = backendConnections(backend.port, 4);
});

after(() => {
  upstream.close();
  backend.close();
});

const SHORT = REQUEST_CASES.filter(({ bytes }) => bytes.length < 400);
const PROPER = SHORT.filter((given) => given.outcome === "open");

/** Mostly what is proper before it is changed: what is refused at once teaches little. */
const base = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PROPER) }, fc.constantFrom(...SHORT));

const input = changedBytes(fc.tuple(base, base).map(([one, two]) => one.bytes + two.bytes));

/** Method and body of what Node's own parser reads on one connection; `whole` when it has no complaint. */
async function reference(bytes: Buffer): Promise<{ readonly seen: string[]; readonly isWhole: boolean }> {
  const seen: string[] = [];
  let isWhole = true;
  const server = createServer({ insecureHTTPParser: false }, (request, response) => {
    take(request, (line) => {
      seen.push(line);
      response.end();
    });
  });
  server.on("clientError", () => (isWhole = false));
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("upgrade", () => (isWhole = false));
  server.on("connect", () => (isWhole = false));
  const socket = new MemorySocket();
  server.emit("connection", socket);
  await socket.give([bytes]);
  for (let turn = 0, before = -1; turn < 3 || before !== seen.length; turn++) {
    before = seen.length;
    await setImmediate();
  }
  socket.destroy();
  server.close();
  return { seen, isWhole };
}

function take(request: IncomingMessage, told: (line: string) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("error", () => {});
  request.on("end", () => told(`${request.method} ${Buffer.concat(chunks).toString("latin1")}`));
}

interface Outcome {
  /** What the gateway read. */
  readonly read: readonly string[];
  /** What the backend got. */
  readonly got: readonly string[];
  /** The same, as method and body. */
  readonly bodies: readonly string[];
  readonly isOpen: boolean;
}

async function outcome(bytes: Buffer): Promise<Outcome> {
  const from = backend.seen.length;
  const read: string[] = [];
  const { socket, connection } = visit(upstream, systemClock, ({ head }) =>
    read.push(`${head.method} ${head.target} ${head.authority}`),
  );
  await socket.give([bytes]);
  for (let quiet = 0, turns = 0; quiet < 6 && turns < 2000; turns++) {
    const before = `${backend.seen.length} ${socket.written.length} ${socket.isEnded}`;
    await setImmediate();
    const isSame = before === `${backend.seen.length} ${socket.written.length} ${socket.isEnded}`;
    quiet = isSame && (upstream.active === 0 || turns > 200) ? quiet + 1 : 0;
  }
  const isOpen = !socket.isEnded;
  connection.destroy();
  while (upstream.active > 0) await setImmediate();
  const seen = backend.seen.slice(from).map(({ line }) => line);
  return {
    read,
    got: seen.map((line) => line.split(" ").slice(0, 3).join(" ")),
    bodies: seen.map((line) => `${line.split(" ")[0]} ${line.split(" ").slice(3).join(" ")}`),
    isOpen,
  };
}

for (const seed of FUZZ.seeds) {
  test(`whatever is sent, backends read what the gateway read (seed ${seed})`, async () => {
    let both = 0;
    const property = fc.asyncProperty(input, async (bytes) => {
      const { read, got, bodies, isOpen } = await outcome(bytes);
      assert.deepEqual(backend.complaints, []);
      if (read.some((line) => !METHODS.includes(line.split(" ")[0] ?? ""))) return;
      // The last one may have broken off, and then it is no request to the backend either.
      assert.deepEqual(got, read.slice(0, got.length));
      assert.ok(got.length >= read.length - 1, "only the last request can be unfinished");
      const other = await reference(bytes);
      if (!isOpen || !other.isWhole) return;
      both++;
      assert.deepEqual(bodies, other.seen, "the two parsers read different requests");
    });
    await fc.assert(property, { numRuns: FUZZ.runs, seed, endOnFailure: true });
    assert.ok(both > 0, "some inputs are proper to both");
  });
}
