import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { watchLines } from "./watch-lines.ts";

async function lines(chunks: readonly Uint8Array[], limit?: number): Promise<string[]> {
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield* chunks;
  };
  const all: string[] = [];
  for await (const line of watchLines(body(), limit)) all.push(line);
  return all;
}

test("lines are the same however their bytes are cut", async () => {
  const line = fc.jsonValue({ stringUnit: "grapheme" }).map((value) => JSON.stringify({ value }));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), async (all, cuts) => {
      const bytes = Buffer.from(all.map((one) => `${one}\n`).join(""));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      assert.deepEqual(await lines(chunks), all);
    }),
  );
});

test("an end within a line is a cut, and a line without end is refused before it fills the memory", async () => {
  await assert.rejects(lines([Buffer.from('{"a":1}\n{"b"')]), { code: "cut" });
  await assert.rejects(lines([Buffer.alloc(60), Buffer.alloc(60)], 100), { code: "malformed" });
});
