import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { takeWebSocketFrame, webSocketFrame } from "./frame.ts";

/** A frame as a client sends it. */
function masked(first: number, payload: Buffer, mask: Buffer): Buffer {
  const frame = webSocketFrame("binary", payload);
  const head = Buffer.from(frame.subarray(0, frame.length - payload.length));
  head[0] = first;
  head[1] = head[1]! | 0x80;
  return Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i % 4]!)]);
}

test("frames of all lengths are taken off whole, unmasked, and not before they are whole", () => {
  const sizes = fc.oneof(fc.nat(130), fc.integer({ min: 65_530, max: 65_540 }));
  const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(sizes, mask, fc.nat(), (size, key, cut) => {
      const payload = Buffer.alloc(size, "payload");
      const bytes = masked(0x82, payload, Buffer.from(key));
      const taken = takeWebSocketFrame(Buffer.concat([bytes, Buffer.from("next")]));
      assert.deepEqual(taken, { frame: { opcode: "binary", final: true, payload }, size: bytes.length });
      assert.equal(takeWebSocketFrame(bytes.subarray(0, cut % bytes.length)), undefined);
    }),
    { numRuns: 50 },
  );
});

test("what breaks the rules is refused: no mask, unknown meanings, endless frames", () => {
  const key = Buffer.alloc(4);
  assert.throws(() => takeWebSocketFrame(webSocketFrame("binary", Buffer.from("x"))), /not masked/);
  assert.throws(() => takeWebSocketFrame(masked(0xc2, Buffer.from("x"), key)), /nobody agreed/);
  assert.throws(() => takeWebSocketFrame(masked(0x83, Buffer.from("x"), key)), /nobody agreed/);
  const endless = Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.throws(() => takeWebSocketFrame(endless), /too long/);
});
