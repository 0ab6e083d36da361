import assert from "node:assert/strict";
import { connect } from "node:http2";
import { test } from "node:test";
import fc from "fast-check";
import { localAnswer } from "@gatewright/gateway";
import { nextTurn } from "@gatewright/ports";
import {
  FLAG,
  fieldBlock,
  frame,
  FRAME,
  GET,
  number,
  POST,
  request,
  reset,
  settings,
  windowUpdate,
} from "./http2-frames.ts";
import { RawClient } from "./http2-raw-client.ts";
import { http2Server } from "./http2-server.ts";

const RUNS = Number(process.env["HTTP2_FUZZ_RUNS"] ?? 60);
const SEED = Number(process.env["HTTP2_FUZZ_SEED"] ?? 2030);

const stream = fc.constantFrom(0, 1, 2, 3, 5, 7, 101, 0x7fffffff);
const proper = fc.oneof(
  stream.map((id) => request(id, GET)),
  stream.map((id) => request(id, POST, 0)),
  fc
    .tuple(stream, fc.string(), fc.boolean())
    .map(([id, text, isLast]) => frame(FRAME.data, isLast ? FLAG.endStream : 0, id, Buffer.from(text))),
  fc.tuple(stream, fc.nat(14)).map(([id, code]) => reset(id, code)),
  fc.tuple(stream, fc.constantFrom(0, 1, 65_535, 0x7fffffff)).map(([id, size]) => windowUpdate(id, size)),
  fc.array(fc.tuple(fc.nat(9), fc.nat(100_000)), { maxLength: 4 }).map((pairs) => settings(pairs)),
  stream.map((id) => frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, id, fieldBlock([["x-trailer", "1"]]))),
  fc.constant(frame(FRAME.ping, 0, 0, Buffer.alloc(8))),
  fc.nat(14).map((code) => frame(FRAME.goaway, 0, 0, Buffer.concat([number(0), number(code)]))),
);
const any = fc
  .tuple(fc.nat(12), fc.nat(255), stream, fc.uint8Array({ maxLength: 80 }))
  .map(([type, flags, id, payload]) => frame(type, flags, id, Buffer.from(payload)));
const raw = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const conversation = fc.array(fc.oneof({ arbitrary: proper, weight: 6 }, { arbitrary: any, weight: 2 }, raw), {
  maxLength: 30,
});

test("whatever frames a client writes, every exchange settles and others are served", async (t) => {
  let open = 0;
  const port = await http2Server(t, (exchange) => {
    open++;
    const answer = (): void => {
      void exchange.send(localAnswer(200, "test", "here")).then(() => open--);
    };
    if (exchange.body === undefined) answer();
    else exchange.body.open({ write: () => true, end: answer, abort: answer, onDrain() {} });
  });
  const bystander = connect(`http://127.0.0.1:${port}`);
  t.after(() => {
    bystander.destroy();
  });
  const serves = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const asked = bystander.request({ ":path": "/" });
      asked.on("response", (headers) => resolve(headers[":status"]));
      asked.on("error", reject);
      asked.resume();
    });
  const property = fc.asyncProperty(conversation, async (frames) => {
    const client = await RawClient.open(port);
    for (const one of frames) if (!(await client.writeAll(one))) break;
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    client.destroy();
    await client.closed();
    assert.equal(await serves(), 200);
    while (open > 0) await nextTurn();
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});
