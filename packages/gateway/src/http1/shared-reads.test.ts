import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { SHARED, readingShared } from "./shared-reads.ts";

/** Both ends of a connection; `use` has the accepted one first. */
async function withConnection(use: (accepted: Socket, client: Socket) => Promise<void>): Promise<void> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  try {
    await use(accepted, client);
  } finally {
    client.destroy();
    server.close();
  }
}

test("an accepted connection goes on as another socket, which reads into what all share, and tells of its close", async () => {
  await withConnection(async (accepted, client) => {
    const closed = Promise.withResolvers<void>();
    const came = Promise.withResolvers<string>();
    accepted.on("close", () => closed.resolve());
    const shared = readingShared(accepted, (length) => {
      came.resolve(SHARED.toString("latin1", 0, length));
      return true;
    });
    assert.ok(shared !== undefined, "this version of Node is one that it works with");
    assert.ok(accepted.destroyed && !shared.destroyed);
    shared.resume();
    client.write("hello");
    assert.equal(await came.promise, "hello");
    const answer = once(client, "data");
    shared.write("there");
    assert.equal(String((await answer)[0]), "there");
    client.destroy();
    await closed.promise;
  });
});

test("what is no plain connection, or has been read already, stays as it is", async () => {
  assert.equal(
    readingShared(new PassThrough() as unknown as Socket, () => true),
    undefined,
  );
  await withConnection(async (accepted, client) => {
    client.write("hello");
    await once(accepted, "readable");
    assert.equal(
      readingShared(accepted, () => true),
      undefined,
    );
    assert.equal(String(accepted.read()), "hello");
    accepted.destroy();
    assert.equal(
      readingShared(accepted, () => true),
      undefined,
    );
  });
});
