import assert from "node:assert/strict";
import { test } from "node:test";
import { FRAME_HEADER, frameLength, sealFrame } from "./frame.ts";
import { recordRoom, writeRecord } from "./record.ts";
import { FaultyFiles } from "./testing/faulty-files.ts";
import { contentsOf, openOn, put } from "./testing/sample-store.ts";

test("any flipped byte is refused or cut off as an unfinished write, and never becomes data", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files, { compactFromBytes: 1200 });
  for (let n = 0; n < 14; n++) await put(store.table("pods"), `p${n % 4}`, String(n));
  const final = contentsOf(store);
  await store.close();
  const names = [...files.contents.keys()].filter((name) => /\.(log|snapshot)$/.test(name));
  assert.ok(names.some((name) => name.endsWith("snapshot")));
  let refused = 0;
  for (const name of names) {
    for (let at = 0; at < files.contents.get(name)!.length; at++) {
      const copy = new Map(files.contents);
      const bytes = Buffer.from(copy.get(name)!);
      bytes[at]! ^= 1 << (at % 8);
      copy.set(name, bytes);
      try {
        const damaged = await openOn(new FaultyFiles(copy));
        assert.equal(contentsOf(damaged), final, `byte ${at} of ${name}`);
      } catch (error) {
        refused++;
        assert.equal((error as Error).name, "StoreFileError", String(error));
        assert.ok(String(error).includes(name));
      }
    }
  }
  assert.ok(refused > 500);
});

test("a file cut anywhere is read up to there or refused", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files, { compactFromBytes: 1200 });
  const states = new Set<string>();
  for (let n = 0; n < 12; n++) {
    await put(store.table("pods"), `p${n % 4}`, String(n));
    states.add(contentsOf(store));
  }
  await store.close();
  for (const [name, bytes] of files.contents) {
    if (!/\.(log|snapshot)$/.test(name)) continue;
    for (let length = 0; length < bytes.length; length++) {
      const cut = new FaultyFiles(new Map(files.contents).set(name, bytes.subarray(0, length)));
      const found = await openOn(cut).then(contentsOf, (error: Error) => error);
      assert.ok(typeof found === "string" ? states.has(found) : found.name === "StoreFileError", `${name} ${length}`);
      if (name.endsWith("snapshot")) assert.notEqual(typeof found, "string");
    }
  }
});

/** The frames of a file. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += frames.at(-1)!.length) {
    frames.push(bytes.subarray(at, at + (frameLength(bytes.subarray(at)) ?? assert.fail("no frame"))));
  }
  return frames;
}

test("a torn end is cut off, told, and does not come back", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files);
  await put(store.table("pods"), "a");
  const log = "/data/00000001.log";
  const whole = files.contents.get(log)!;
  await put(store.table("pods"), "b");
  const torn = files.restart();
  const file = await torn.open(log, "edit");
  await file.truncate(files.contents.get(log)!.length - 1);
  const lines: unknown[] = [];
  const again = await openOn(torn, { log: (message, fields) => lines.push(message, fields) });
  assert.deepEqual(
    [...again.table("pods").snapshot().entries()].map((entry) => entry.key),
    ["a"],
  );
  assert.equal(framesOf(torn.contents.get(log)!).length, framesOf(whole).length + 1, "nothing of it is left");
  const bytes = files.contents.get(log)!.length - 1 - whole.length;
  assert.deepEqual(lines, ["cut off a write that a crash had interrupted", { file: log, at: whole.length, bytes }]);
});

test("a frame that is missing, twice there or in another place is refused", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files);
  for (const key of ["a", "b", "c", "d"]) await put(store.table("pods"), key);
  await store.close();
  const log = "/data/00000001.log";
  const frames = framesOf(files.contents.get(log)!);
  assert.equal(frames.length, 7);
  for (let i = 1; i < frames.length - 1; i++) {
    const [before, one, after] = [frames.slice(0, i), frames.slice(i, i + 1), frames.slice(i + 1)];
    for (const wrong of [
      [before, after],
      [before, one, one, after],
      [before, after, one],
    ]) {
      const bytes = Buffer.concat(wrong.flat());
      await assert.rejects(
        openOn(new FaultyFiles(new Map([[log, bytes]]))),
        /what was written before this place is missing/,
      );
    }
  }
});

test("a log that lost its last write is refused when a later log exists", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files, { compactFromBytes: 500 });
  await put(store.table("pods"), "a");
  const untilSnapshot = (): boolean => files.calls.some((call) => call.includes("open /data/00000002.snapshot.tmp"));
  for (let n = 0; n < 50 && !untilSnapshot(); n++) await put(store.table("pods"), "a", String(n));
  const logs = new Map([...files.contents].filter(([name]) => name.endsWith(".log")));
  assert.deepEqual([...logs.keys()], ["/data/00000001.log", "/data/00000002.log"]);
  await (await openOn(new FaultyFiles(logs))).close();
  const shorter = Buffer.concat(framesOf(logs.get("/data/00000001.log")!).slice(0, -1));
  await assert.rejects(openOn(new FaultyFiles(logs.set("/data/00000001.log", shorter))), /00000002\.log.*another end/);
});

function withHeader(header: object): Buffer {
  const record = { kind: "header", json: JSON.stringify(header) } as const;
  const frame = Buffer.alloc(FRAME_HEADER + recordRoom(record));
  const whole = frame.subarray(0, writeRecord(record, frame, FRAME_HEADER));
  sealFrame(whole, 0);
  return whole;
}

test("a missing log, a foreign file and a newer format are refused by name", async () => {
  const files = new FaultyFiles();
  const store = await openOn(files, { compactFromBytes: 700 });
  for (let n = 0; n < 20; n++) await put(store.table("pods"), `p${n}`);
  await store.close();
  const log = [...files.contents.keys()].findLast((name) => name.endsWith(".log"))!;
  const without = new Map(files.contents);
  without.delete(log);
  await assert.rejects(openOn(new FaultyFiles(without)), {
    name: "StoreFileError",
    message: /log: the file is missing/,
  });
  const foreign = new Map(files.contents).set(log, Buffer.from("SQLite format 3"));
  await assert.rejects(openOn(new FaultyFiles(foreign)), /does not start like a file of the store/);
  const newer = new Map(files.contents);
  newer.set(log, withHeader({ format: 2, kind: "log", generation: 7 }));
  await assert.rejects(openOn(new FaultyFiles(newer)), /newer version \(format 2, this one reads up to 1\)/);
  const renamed = new Map([["/data/00000001.log", files.contents.get(log)!]]);
  await assert.rejects(openOn(new FaultyFiles(renamed)), /under another name/);
});
