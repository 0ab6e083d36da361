import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { SHARED, readsShared } from "./shared-reads.ts";
import { withConnection, withSecureConnection } from "./testing/both-ends.ts";

for (const [name, connected] of [
  ["a connection", withConnection],
  ["a connection with TLS", withSecureConnection],
] as const) {
  test(`${name} reads into what all share, and answers, and closes as before`, () =>
    connected(async (accepted, client) => {
      const came = Promise.withResolvers<string>();
      const closed = once(accepted, "close");
      const shares = readsShared(accepted, (length) => {
        came.resolve(SHARED.toString("latin1", 0, length));
        return true;
      });
      assert.ok(shares, "this version of Node is one that it works with");
      accepted.resume();
      client.write("hello");
      assert.equal(await came.promise, "hello");
      const answer = once(client, "data");
      accepted.write("there");
      assert.equal(String((await answer)[0]), "there");
      client.destroy();
      await closed;
    }));

  test(`what comes while ${name} is paused comes later, in its order`, () =>
    connected(async (accepted, client) => {
      const sent = Buffer.from(Array.from({ length: 1 << 20 }, (_, at) => (at >> 8) & 0xff));
      const [parts, whole] = [[] as Buffer[], Promise.withResolvers<void>()];
      let [length, isPaused] = [0, false];
      const take = (part: Buffer): void => {
        assert.ok(!isPaused, "nothing is told while it is paused");
        parts.push(part);
        length += part.length;
        if (length === sent.length) whole.resolve();
        isPaused = true;
        accepted.pause();
        setImmediate(() => {
          isPaused = false;
          accepted.resume();
        });
      };
      assert.ok(
        readsShared(accepted, (read) => {
          take(Buffer.from(SHARED.subarray(0, read)));
          return true;
        }),
      );
      accepted.on("data", take);
      client.write(sent);
      await whole.promise;
      assert.ok(Buffer.concat(parts).equals(sent));
    }));
}

test("what is no connection, or has been read already, stays as it is", async () => {
  const never = (): boolean => assert.fail("nothing is told");
  assert.ok(!readsShared(new PassThrough() as unknown as Socket, never));
  await withConnection(async (accepted, client) => {
    client.write("hello");
    await once(accepted, "readable");
    assert.ok(!readsShared(accepted, never));
    assert.equal(String(accepted.read()), "hello");
    accepted.destroy();
    assert.ok(!readsShared(accepted, never));
  });
});
