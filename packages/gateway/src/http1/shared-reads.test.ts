import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { connect as connectSecure, createServer as createSecureServer } from "node:tls";
import { SHARED, readsShared } from "./shared-reads.ts";

type Ends = (accepted: Socket, client: Socket) => Promise<void>;

/** Both ends of a connection; `use` has the accepted one first. */
async function withConnection(use: Ends): Promise<void> {
  const server = createServer();
  await between(server, "connection", (port) => connect(port, "127.0.0.1"), use);
}

/** With TLS. A key that both know takes no certificate. */
async function withSecureConnection(use: Ends): Promise<void> {
  const psk = Buffer.alloc(16, 1);
  const how = { ciphers: "PSK-AES128-GCM-SHA256", maxVersion: "TLSv1.2" } as const;
  const server = createSecureServer({ ...how, pskCallback: () => psk });
  const pskCallback = () => ({ psk, identity: "test" });
  const reach = (port: number): Socket =>
    connectSecure({ ...how, port, host: "127.0.0.1", pskCallback, checkServerIdentity: () => undefined });
  await between(server, "secureConnection", reach, use);
}

async function between(server: Server, event: string, reach: (port: number) => Socket, use: Ends): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = reach((server.address() as AddressInfo).port);
  const [accepted] = (await once(server, event)) as [Socket];
  try {
    await use(accepted, client);
  } finally {
    client.destroy();
    accepted.destroy();
    server.close();
  }
}

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
