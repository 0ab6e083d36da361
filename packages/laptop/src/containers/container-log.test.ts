import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { ContainerLog } from "./container-log.ts";
import type { LogSelection } from "./container-log.ts";

const all: LogSelection = { follow: false, timestamps: false };

async function read(log: ContainerLog, selection: Partial<LogSelection> = {}, signal = new AbortController().signal) {
  let text = "";
  for await (const part of log.read({ ...all, ...selection }, signal)) text += Buffer.from(part).toString();
  return text;
}

test("a log gives what is asked for", async () => {
  const clock = new ManualClock();
  const log = new ContainerLog(clock);
  log.write("one");
  clock.advance(10_000);
  log.write("two");
  log.write("three");
  assert.equal(await read(log), "one\ntwo\nthree\n");
  assert.equal(await read(log, { tailLines: 2 }), "two\nthree\n");
  assert.equal(await read(log, { tailLines: 0 }), "");
  assert.equal(await read(log, { sinceSeconds: 5 }), "two\nthree\n");
  assert.equal(await read(log, { sinceTime: clock.now() }), "two\nthree\n");
  assert.equal(await read(log, { limitBytes: 6 }), "one\ntw");
  assert.equal(await read(log, { tailLines: 1, timestamps: true }), "2030-01-01T00:00:10.000000000Z three\n");
});

test("who follows hears every line, until the container ends or they go", async () => {
  const log = new ContainerLog(new ManualClock());
  log.write("before");
  const gone = new AbortController();
  const left = read(log, { follow: true, tailLines: 0 }, gone.signal);
  const stayed = read(log, { follow: true });
  await nextTurn();
  log.write("during");
  await nextTurn();
  gone.abort();
  assert.equal(await left, "during\n");
  log.write("after");
  log.end();
  assert.equal(await stayed, "before\nduring\nafter\n");
  assert.equal(await read(log, { follow: true }), "before\nduring\nafter\n", "a log that has ended is not waited for");
});

test("a log keeps the newest lines within its bound", async () => {
  const log = new ContainerLog(new ManualClock());
  for (let i = 0; i < 100_000; i++) log.write(`line ${i}`);
  const text = await read(log);
  assert.ok(text.length <= 512 * 1024 && text.length > 100 * 1024);
  assert.ok(text.endsWith("line 99999\n"));
  log.write("x".repeat(1_000_000));
  assert.ok((await read(log, { tailLines: 1 })).length <= 16 * 1024 + 1);
});
