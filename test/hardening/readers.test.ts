import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer, Listener } from "@gatewright/apiserver";
import type { JsonObject } from "@gatewright/kube";
import { asker } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { raw } from "./raw.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const MiB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function memory(): number {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / MiB;
}

describe("readers who do not read", () => {
  let server: ApiServer;
  let listener: Listener;
  let ask: Ask;
  before(async () => {
    server = await createApiServer();
    listener = await server.listen({ host: "127.0.0.1", port: 0 });
    ask = asker(server.transport());
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          ask("POST", MAPS, { body: { metadata: { name: `m-${batch}-${i}` }, data: { a: "x".repeat(1_000) } } }),
        ),
      );
    }
  });
  after(async () => {
    await listener.close();
    await server.close();
  });

  test("2,000 watchers who wait cost little each, and all hear of a change", async () => {
    const before = memory();
    const leave = new AbortController();
    const watchers = await Promise.all(
      Array.from({ length: 2_000 }, () =>
        server.transport()({
          method: "GET",
          path: `${MAPS}?watch=1&resourceVersion=${server.cluster.store.revision}`,
          signal: leave.signal,
        }),
      ),
    );
    const first = watchers.map(async ({ body }) => {
      for await (const frame of body) return frame;
      return undefined;
    });
    await setImmediate();
    const each = ((memory() - before) * 1024) / watchers.length;
    assert.ok(each < 64, `a watcher takes ${each.toFixed(1)} KiB`);
    await ask("POST", MAPS, { body: { metadata: { name: "news" } } });
    const heard = await Promise.all(first);
    assert.equal(new Set(heard).size, 1, "one frame is shared by all");
    leave.abort();
  });

  test("clients that stop in the middle of a list or a watch hold no more than what the socket took", async () => {
    const stalled = Array.from({ length: 20 }, (_, i) => {
      const connection = raw(listener.port);
      connection.socket.pause();
      connection.say(`GET ${MAPS}${i % 2 === 0 ? "" : "?watch=1"} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      return connection;
    });
    for (let i = 0; i < 20; i++) await setImmediate();
    const before = memory();
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => ask("PATCH", `${MAPS}/m-0-${i}`, { body: { data: { b: `${round}` } } })),
      );
    }
    const grown = memory() - before;
    assert.ok(grown < 60, `1,000 changes of 1 KiB and 20 stalled readers took ${grown.toFixed(1)} MiB`);
    for (const connection of stalled) connection[Symbol.dispose]();
    assert.equal((await ask("GET", `${MAPS}?limit=1`)).status, 200);
  });

  test("a watcher too far behind is cut off, and can take up where it stopped", async () => {
    const from = server.cluster.store.revision;
    const stalled = await server.transport()({ method: "GET", path: `${MAPS}?watch=1&resourceVersion=${from}` });
    const frames = stalled.body[Symbol.asyncIterator]();
    const pending = frames.next();
    for (let round = 0; round < 110; round++) {
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => ask("PATCH", `${MAPS}/m-1-${i}`, { body: { data: { c: `${round}` } } })),
      );
    }
    let last = "";
    let count = 0;
    for (let next = await pending; next.done !== true; next = await frames.next()) {
      const event = JSON.parse(next.value.toString()) as { object: { metadata: { resourceVersion: string } } };
      last = event.object.metadata.resourceVersion;
      count++;
    }
    assert.ok(count < 11_000, `the stream ended after ${count} events`);
    const resumed = await server.transport()({ method: "GET", path: `${MAPS}?watch=1&resourceVersion=${last}` });
    for await (const frame of resumed.body) {
      const event = JSON.parse(frame.toString()) as { type: string; object: JsonObject };
      assert.ok(event.type === "MODIFIED" || event.object["code"] === 410, frame.toString().slice(0, 200));
      break;
    }
  });

  test("a watch from before the window of changes is told to start anew", async () => {
    const old = await server.transport()({ method: "GET", path: `${MAPS}?watch=1&resourceVersion=1` });
    const frames: string[] = [];
    for await (const frame of old.body) frames.push(frame.toString());
    const event = JSON.parse(frames.join("")) as { type: string; object: JsonObject };
    assert.deepEqual([event.type, event.object["code"], event.object["reason"]], ["ERROR", 410, "Expired"]);
  });
});
