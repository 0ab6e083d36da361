import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { quiet } from "./testing/served.ts";
import { withConnection, withSecureConnection } from "./testing/both-ends.ts";
import { takenBytes } from "./taken-bytes.ts";

for (const [name, connected] of [
  ["a connection", withConnection],
  ["a connection with TLS", withSecureConnection],
] as const) {
  test(`of one large write it is told how much ${name} has taken, while the rest waits`, () =>
    connected(async (accepted, client) => {
      let got = 0;
      client.on("data", (chunk: Buffer) => (got += chunk.length));
      client.pause();
      const size = 32 << 20;
      accepted.write(Buffer.alloc(size));
      await quiet();
      const first = takenBytes(accepted);
      assert.ok(first < size, `${first}`);
      client.resume();
      while (got < 12 << 20) await setImmediate();
      client.pause();
      await quiet();
      assert.ok(accepted.writableLength > 0, "it is written");
      assert.ok(takenBytes(accepted) > first, `${takenBytes(accepted)} after ${first}`);
    }));
}
