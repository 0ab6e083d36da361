import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Inbox } from "./inbox.ts";

test("what is taken is what came, in order, and stays so whatever comes later", () => {
  const step = fc.record({ come: fc.uint8Array({ maxLength: 40 }), take: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const inbox = new Inbox();
      const taken: Buffer[] = [];
      for (const { come, take } of steps) {
        inbox.add(Buffer.from(come));
        const piece = inbox.bytes.subarray(0, take);
        taken.push(piece);
        inbox.take(piece.length);
      }
      const came = Buffer.concat(steps.map((each) => each.come));
      assert.deepEqual(Buffer.concat([...taken, inbox.bytes]), came);
    }),
  );
});
