import assert from "node:assert/strict";
import { once } from "node:events";
import { request as nodeRequest } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { Fields, http1Upstream, UpstreamError } from "@gatewright/gateway";
import { systemClock } from "@gatewright/ports";
import { changedBytes, FUZZ } from "./byte-changes.ts";
import { RESPONSE_CASES } from "./desync-responses.ts";

let server: Server;
let port = 0;
let bytes: Buffer = Buffer.alloc(0);

before(async () => {
  server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});

after(() => void server.close());

/** `STATUS body` of a whole answer; undefined when there is none. */
async function ours(): Promise<string | undefined> {
  const upstream = http1Upstream(
    { host: "127.0.0.1", port },
    {
      clock: systemClock,
      maxConnections: 1,
      maxPending: 0,
      idleTimeoutMs: 30_000,
      connectTimeoutMs: 10_000,
      maxRequestsPerConnection: 1,
    },
  );
  const fields = new Fields();
  const about = { method: "GET", scheme: "http", authority: "a", target: "/", fields } as const;
  try {
    const { status, body } = await upstream.send({ ...about, body: undefined, upgrade: undefined }).answer;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    let text = "";
    if (body === undefined) return `${status} `;
    body.open({
      write(chunk) {
        text += Buffer.from(chunk).toString("latin1");
        return true;
      },
      end: () => resolve(`${status} ${text}`),
      abort: () => resolve(undefined),
      onDrain() {},
    });
    return await promise;
  } catch (error) {
    assert.ok(error instanceof UpstreamError);
    return undefined;
  } finally {
    upstream.close();
  }
}

/** The same by Node's own parser. */
function nodes(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const sent = nodeRequest({ host: "127.0.0.1", port, agent: false, insecureHTTPParser: false }, (response) => {
    let text = "";
    response.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    response.on("error", () => resolve(undefined));
    response.on("close", () => resolve(response.complete ? `${response.statusCode} ${text}` : undefined));
  });
  sent.on("upgrade", (_response, socket) => {
    socket.destroy();
    resolve(undefined);
  });
  sent.on("error", () => resolve(undefined));
  sent.end();
  return promise;
}

const PLAIN = RESPONSE_CASES.filter(({ method, asksUpgrade }) => method === undefined && asksUpgrade === undefined);
const SHORT = PLAIN.filter((given) => given.bytes.length < 400);
const PROPER = SHORT.filter(({ answer }) => /^\d/.test(answer) && !answer.endsWith("!"));
const base = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PROPER) }, fc.constantFrom(...SHORT));
const input = changedBytes(base.map((given) => given.bytes));

for (const seed of FUZZ.seeds) {
  test(`whatever a backend answers, it ends, and a whole answer is the one that others read (seed ${seed})`, async () => {
    let both = 0;
    const property = fc.asyncProperty(input, async (given) => {
      bytes = given;
      const one = await ours();
      if (one === undefined) return;
      const other = await nodes();
      if (other === undefined) return;
      both++;
      assert.equal(one, other);
    });
    await fc.assert(property, { numRuns: FUZZ.runs, seed, endOnFailure: true });
    assert.ok(both > 0, "some inputs are proper to both");
  });
}
