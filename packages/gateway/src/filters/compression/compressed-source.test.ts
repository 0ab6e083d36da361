import assert from "node:assert/strict";
import { test } from "node:test";
import { createGunzip } from "node:zlib";
import { nextTurn } from "@gatewright/ports";
import type { Sink, Source } from "../../exchange/body.ts";
import { Fields } from "../../exchange/fields.ts";
import { compressedSource } from "./compressed-source.ts";

/** A body that a test writes by hand. */
function handSource() {
  const seen = { sink: undefined as Sink | undefined, cancelled: 0 };
  const source: Source = {
    length: undefined,
    open: (sink) => void (seen.sink = sink),
    cancel: () => void seen.cancelled++,
  };
  return { source, seen };
}

/** A reader that a test stops and starts. */
function handSink(more: () => boolean = () => true) {
  const got = { chunks: [] as Buffer[], ended: false, trailers: undefined as Fields | undefined, error: "" };
  let drain: (() => void) | undefined;
  const sink: Sink = {
    write(chunk) {
      got.chunks.push(Buffer.from(chunk));
      return more();
    },
    end(trailers) {
      got.ended = true;
      got.trailers = trailers;
    },
    abort: (error) => void (got.error = error.message),
    onDrain: (listener) => void (drain = listener),
  };
  return { sink, got, drain: () => drain?.() };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !holds(); turn++) await nextTurn();
  assert.ok(holds(), "it never came");
}

test("what was written arrives without waiting for the end", async () => {
  const { source, seen } = handSource();
  const { sink, got } = handSink();
  compressedSource(source, "gzip").open(sink);
  const gunzip = createGunzip();
  let text = "";
  gunzip.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  let fed = 0;
  const feed = (): void => {
    for (; fed < got.chunks.length; fed++) gunzip.write(got.chunks[fed]);
  };
  seen.sink?.write(Buffer.from("event: 1\n\n"));
  await until(() => (feed(), text === "event: 1\n\n"));
  seen.sink?.write(Buffer.from("event: 2\n\n"));
  await until(() => (feed(), text === "event: 1\n\nevent: 2\n\n"));
  assert.equal(got.ended, false);
  const trailers = new Fields(["x-sum", "7"]);
  seen.sink?.end(trailers);
  await until(() => got.ended);
  assert.equal(got.trailers, trailers);
  gunzip.destroy();
});

test("a source is stopped while the reader has enough, and goes on when it wants more", async () => {
  const { source, seen } = handSource();
  let wantsMore = false;
  const { sink, got, drain } = handSink(() => wantsMore);
  compressedSource(source, "deflate").open(sink);
  let resumed = 0;
  seen.sink?.onDrain(() => resumed++);
  const noise = Buffer.alloc(32 * 1024);
  for (let at = 0, state = 1; at < noise.length; at++) noise[at] = (state = (state * 48271) % 2147483647) & 255;
  let taken = 0;
  while (taken < 400 && seen.sink?.write(noise) === true) taken++;
  assert.ok(taken < 10, "the source should have been stopped");
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  const held = got.chunks.length;
  assert.ok(held <= 1, `nothing is forced on a reader that has enough, but ${held} chunks came`);
  wantsMore = true;
  drain();
  await until(() => resumed > 0);
  seen.sink?.end();
  await until(() => got.ended);
});

test("a client that leaves frees the compressor and the source", async () => {
  const { source, seen } = handSource();
  const { sink, got } = handSink();
  const compressed = compressedSource(source, "br");
  compressed.open(sink);
  seen.sink?.write(Buffer.from("x"));
  compressed.cancel();
  compressed.cancel();
  assert.equal(seen.cancelled, 1);
  assert.equal(seen.sink?.write(Buffer.from("y")), false);
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  assert.equal(got.ended, false);
  assert.equal(got.error, "");
});

test("a body that was never read is not wanted", () => {
  const { source, seen } = handSource();
  compressedSource(source, "gzip").cancel();
  assert.equal(seen.cancelled, 1);
});

test("a body that breaks off tells its reader", () => {
  const { source, seen } = handSource();
  const { sink, got } = handSink();
  compressedSource(source, "zstd").open(sink);
  seen.sink?.abort(new Error("gone"));
  assert.equal(got.error, "gone");
});
