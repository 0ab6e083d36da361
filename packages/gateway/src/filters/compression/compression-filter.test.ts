import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { bytesOf, madeAnswer, madeAround, madeCall } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { ALGORITHMS } from "./accept-encoding.ts";
import { compressionFilter } from "./compression-filter.ts";
import type { CompressionSpec } from "./compression-filter.ts";

const TEXT = "all work and no play ".repeat(1000);
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

async function pass(call: CallParts, answer = madeAnswer(TEXT, JSON_TYPE), spec: CompressionSpec = { enabled: true }) {
  const filter = compressionFilter(spec, madeAround());
  const made = madeCall(call);
  await filter?.request?.(made);
  return (await filter?.response?.(made, answer)) ?? answer;
}

const UNDO = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync, deflate: inflateSync };
for (const algorithm of ALGORITHMS)
  test(`${algorithm} gives back what was sent`, async () => {
    const answer = await pass({ fields: { "accept-encoding": algorithm } });
    assert.equal(answer.fields.get("content-encoding"), algorithm);
    assert.equal(answer.body?.length, undefined);
    const bytes = await bytesOf(answer.body!);
    assert.ok(bytes.length < TEXT.length / 10);
    assert.equal(UNDO[algorithm](bytes).toString(), TEXT);
  });

test("the answer depends on what clients take, also when this one takes nothing", async () => {
  const answer = await pass({}, madeAnswer(TEXT, { ...JSON_TYPE, vary: "Origin" }));
  assert.equal(answer.fields.get("vary"), "Origin, accept-encoding");
  assert.equal(answer.fields.has("content-encoding"), false);
});

test("a strong validator becomes weak, and what is said about the bytes goes", async () => {
  const given = madeAnswer(TEXT, { ...JSON_TYPE, etag: '"a"', "accept-ranges": "bytes", "content-digest": "x" });
  const answer = await pass({ fields: { "accept-encoding": "gzip" } }, given);
  assert.equal(answer.fields.get("etag"), 'W/"a"');
  assert.equal(answer.fields.has("accept-ranges"), false);
  assert.equal(answer.fields.has("content-digest"), false);
});

test("a later filter may take the client's wish away from the backend", async () => {
  const filter = compressionFilter({ enabled: true }, madeAround());
  const call = madeCall({ fields: { "accept-encoding": "gzip" } });
  await filter?.request?.(call);
  call.head.fields.remove("accept-encoding");
  const answer = await filter?.response?.(call, madeAnswer(TEXT, JSON_TYPE));
  assert.equal(answer?.fields.get("content-encoding"), "gzip");
});

const GZIP: CallParts = { fields: { "accept-encoding": "gzip" } };
const LEFT: readonly [title: string, call: CallParts, answer: ReturnType<typeof madeAnswer>][] = [
  ["an encoded body", GZIP, madeAnswer(TEXT, { ...JSON_TYPE, "content-encoding": "br" })],
  ["a part of a body", GZIP, madeAnswer(TEXT, { ...JSON_TYPE, "content-range": "bytes 0-9/10" }, 206)],
  ["no content", GZIP, madeAnswer(undefined, JSON_TYPE, 204)],
  ["an unchanged document", GZIP, madeAnswer(undefined, JSON_TYPE, 304)],
  ["what must not be changed", GZIP, madeAnswer(TEXT, { ...JSON_TYPE, "cache-control": "public, No-Transform" })],
  ["a small body", GZIP, madeAnswer("{}", JSON_TYPE)],
  ["a picture", GZIP, madeAnswer(TEXT, { "content-type": "image/png" })],
  ["gRPC", GZIP, madeAnswer(TEXT, { "content-type": "application/grpc+json" })],
  ["what has no type", GZIP, madeAnswer(TEXT)],
];
for (const [title, call, answer] of LEFT)
  test(`${title} is left as it is`, async () => {
    const before = answer.body;
    const passed = await pass(call, answer);
    assert.equal(passed.body, before);
  });

test("HEAD is told what GET would be told, but no length", async () => {
  const head: CallParts = { ...GZIP, method: "HEAD" };
  const told = await pass(head, madeAnswer(undefined, { ...JSON_TYPE, "content-length": "5000" }));
  assert.deepEqual([told.fields.get("content-encoding"), told.fields.has("content-length")], ["gzip", false]);
  const small = await pass(head, madeAnswer(undefined, { ...JSON_TYPE, "content-length": "50" }));
  assert.equal(small.fields.get("content-length"), "50");
});

test("types and sizes can be chosen", async () => {
  const spec = { enabled: true, minSize: 1, contentTypes: ["image/*"], algorithms: ["br"] };
  const call = { fields: { "accept-encoding": "gzip, br" } };
  const answer = await pass(call, madeAnswer("x", { "content-type": "image/png" }), spec);
  assert.equal(answer.fields.get("content-encoding"), "br");
});

test("an algorithm that does not exist is an error", () => {
  const around = madeAround();
  compressionFilter({ enabled: true, algorithms: ["lzma"] }, around);
  assert.equal(around.notes[0]?.severity, "error");
});

test("what is not enabled is no filter", () => {
  assert.equal(compressionFilter({}, madeAround()), undefined);
});
