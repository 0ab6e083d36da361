import assert from "node:assert/strict";
import { test } from "node:test";
import { createDeflate, constants } from "node:zlib";
import fc from "fast-check";
import { DICTIONARY } from "./dictionary.ts";
import { HeaderBlocks } from "./header-block.ts";

test("the dictionary is that of SPDY/3", () => {
  assert.equal(DICTIONARY.length, 1423);
  assert.equal(DICTIONARY.subarray(0, 11).toString("latin1"), "\0\0\0\x07options");
});

test("what one side packs the other unpacks, block after block", async () => {
  const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,12}$/), fc.string({ unit: "binary", maxLength: 40 }));
  await fc.assert(
    fc.asyncProperty(fc.array(headers, { maxLength: 5 }), async (blocks) => {
      const [sender, receiver] = [new HeaderBlocks(), new HeaderBlocks()];
      for (const block of blocks.map((each) => new Map(Object.entries(each)))) {
        assert.deepEqual(await receiver.unpack(await sender.pack(block)), block);
      }
      sender.close();
      receiver.close();
    }),
    { numRuns: 10 },
  );
});

test("headers that are not compressed as they should be are refused, and so are all after them", async () => {
  const receiver = new HeaderBlocks();
  await assert.rejects(receiver.unpack(Buffer.from("garbage")));
  await assert.rejects(receiver.unpack(Buffer.from("garbage")));
  receiver.close();
});

test("headers that would fill the memory are refused", async () => {
  const deflate = createDeflate({ dictionary: DICTIONARY, flush: constants.Z_SYNC_FLUSH });
  const packed = new Promise<Buffer>((resolve) => deflate.once("data", resolve));
  deflate.write(Buffer.alloc(10_000_000));
  const receiver = new HeaderBlocks();
  await assert.rejects(receiver.unpack(await packed), /too long/);
  deflate.destroy();
  receiver.close();
});
