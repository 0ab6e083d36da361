import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { nextTurn } from "@gatewright/ports";
import { echoBackend } from "./echo-backend.ts";
import type { EchoBackend } from "./echo-backend.ts";
import { forward } from "./forwarding-gateway.ts";
import { FLAG, fieldBlock, frame, FRAME, GET, POST, request } from "./http2-frames.ts";
import type { Field } from "./http2-frames.ts";
import { RawClient } from "./http2-raw-client.ts";
import { backendConnections } from "./backend-connections.ts";
import { http2Server } from "./http2-server.ts";

const EVIL = "GET /evil HTTP/1.1\r\nhost: a.test\r\n\r\n";

/** Requests come by HTTP/2 and go on by HTTP/1.1, on one connection, to a backend that reads in its own way. */
async function downgrading(t: TestContext): Promise<{ port: number; backend: EchoBackend }> {
  const backend = await echoBackend();
  const upstream = backendConnections(backend.port, 1);
  const port = await http2Server(t, (exchange) => forward(upstream, exchange));
  t.after(() => {
    upstream.close();
    backend.close();
  });
  return { port, backend };
}

interface Attack {
  readonly fields: readonly Field[];
  /** Undefined: the head ends the stream. */
  readonly body?: string;
  readonly trailers?: readonly Field[];
  /** What the backend may see of it: nothing, or this one request. */
  readonly seen?: string;
}

function swap(fields: readonly Field[], name: string, value: string): readonly Field[] {
  return fields.map((field) => (field[0] === name ? [name, value] : field));
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "H2.CL: a length of nothing before a body": { fields: [...POST, ["content-length", "0"]], body: EVIL },
  "H2.CL: a length that is shorter than the body": { fields: [...POST, ["content-length", "3"]], body: `abc${EVIL}` },
  "H2.CL: a length that is longer than the body": { fields: [...POST, ["content-length", "300"]], body: "abc" },
  "H2.CL: a length without a body": { fields: [...GET, ["content-length", "40"]] },
  "H2.CL: two lengths": { fields: [...POST, ["content-length", "3"], ["content-length", "0"]], body: "abc" },
  "H2.TE: chunked": { fields: [...POST, ["transfer-encoding", "chunked"]], body: `0\r\n\r\n${EVIL}` },
  "H2.TE: chunked among others": {
    fields: [...POST, ["transfer-encoding", "gzip, chunked"]],
    body: `0\r\n\r\n${EVIL}`,
  },
  "H2.TE: in another value": {
    fields: [...POST, ["x-a", "b\r\ntransfer-encoding: chunked"]],
    body: `0\r\n\r\n${EVIL}`,
    seen: `POST / a.test 0\r\n\r\n${EVIL}`,
  },
  "H2.TE: in a name": {
    fields: [...POST, ["x-a: b\r\ntransfer-encoding", "chunked"]],
    body: `0\r\n\r\n${EVIL}`,
    seen: `POST / a.test 0\r\n\r\n${EVIL}`,
  },
  "H2.TE: with a blank in its name": {
    fields: [...POST, ["transfer-encoding ", "chunked"]],
    body: `0\r\n\r\n${EVIL}`,
    seen: `POST / a.test 0\r\n\r\n${EVIL}`,
  },
  "H2.TE: with an underscore": {
    fields: [...POST, ["transfer_encoding", "chunked"]],
    body: `0\r\n\r\n${EVIL}`,
    seen: `POST / a.test 0\r\n\r\n${EVIL}`,
  },
  "a request in the method": { fields: swap(GET, ":method", `GET / HTTP/1.1\r\nhost: a.test\r\n\r\nGET`) },
  "a request in the path": { fields: swap(GET, ":path", `/ HTTP/1.1\r\nhost: a.test\r\n\r\nGET /evil`) },
  "a request in the authority": { fields: swap(GET, ":authority", `a.test\r\n\r\n${EVIL}`) },
  "a request in the scheme": { fields: swap(GET, ":scheme", `http://a/ HTTP/1.1\r\n\r\n${EVIL}`) },
  "a request in a value": { fields: [...GET, ["x-a", `b\r\n\r\n${EVIL}`]], seen: "GET / a.test " },
  "a request in a name": { fields: [...GET, [`x-a: b\r\n\r\n${EVIL}`, "c"]], seen: "GET / a.test " },
  "a request in a cookie": { fields: [...GET, ["cookie", `b\r\n\r\n${EVIL}`]], seen: "GET / a.test " },
  "a request in the body of GET": { fields: GET, body: EVIL, seen: `GET / a.test ${EVIL}` },
  "a request in the body": { fields: POST, body: EVIL, seen: `POST / a.test ${EVIL}` },
  "a chunk's end in the body": { fields: POST, body: `0\r\n\r\n${EVIL}`, seen: `POST / a.test 0\r\n\r\n${EVIL}` },
  "framing in trailers": { fields: POST, body: "abc", trailers: [["transfer-encoding", "chunked"]] },
  "a length in trailers": { fields: POST, body: "abc", trailers: [["content-length", "9"]] },
  "a request in trailers": {
    fields: POST,
    body: "abc",
    trailers: [["x-a", `b\r\n\r\n${EVIL}`]],
    seen: "POST / a.test abc",
  },
  "a pseudo-field in trailers": { fields: POST, body: "abc", trailers: [[":path", "/evil"]] },
};

for (const [name, attack] of Object.entries(ATTACKS)) {
  test(`exactly one request or none reaches a backend of HTTP/1.1: ${name}`, async (t) => {
    const { port, backend } = await downgrading(t);
    const client = await RawClient.open(port);
    t.after(() => client.destroy());
    const { fields, body, trailers } = attack;
    client.write(request(1, fields, body === undefined ? FLAG.endStream : 0));
    if (body !== undefined)
      client.write(frame(FRAME.data, trailers === undefined ? FLAG.endStream : 0, 1, Buffer.from(body)));
    if (trailers !== undefined)
      client.write(frame(FRAME.headers, FLAG.endStream | FLAG.endHeaders, 1, fieldBlock(trailers)));
    await client.outcome(1);
    const next = await RawClient.open(port);
    t.after(() => next.destroy());
    next.write(request(1, swap(GET, ":path", "/next")));
    assert.equal(await next.outcome(1), "status 200");
    while (!backend.seen.some(({ line }) => line === "GET /next a.test ")) await nextTurn();
    const lines = backend.seen.map(({ line }) => line).filter((line) => line !== "GET /next a.test ");
    assert.ok(lines.length === 0 || (lines.length === 1 && lines[0] === attack.seen), JSON.stringify(lines));
    assert.deepEqual(backend.complaints, []);
    const fieldsSeen = backend.seen.flatMap(({ rawHeaders }) => rawHeaders.map((text) => text.toLowerCase()));
    assert.ok(!fieldsSeen.some((text) => text.includes("evil") || text === "x-a"), JSON.stringify(fieldsSeen));
  });
}
