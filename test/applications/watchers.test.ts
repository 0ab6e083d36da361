import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import {
  createEventApi,
  createEventHistory,
  createRecorder,
  eventPaths,
  reviewedAccess,
} from "@gatewright/applications";
import { core } from "@gatewright/kube/api";
import { nextTurn, sleep, systemClock, systemRandom } from "@gatewright/ports";
import { createClient } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";

const ports = { clock: systemClock, random: systemRandom };
const resources = [core.ConfigMap] as const;

/** A server that tells of ConfigMaps, on a socket. */
async function world(changes = 5_000) {
  const transport: Transport = (request) => server.transport()(request);
  const client = createClient(transport, ports);
  const history = await createEventHistory({ ...ports, limits: { changes } });
  const api = createEventApi({ ...ports, resources, history, access: reviewedAccess({ ...ports, client }) });
  const about = { name: "test", version: "1", description: "" };
  const server = await createApiServer({ paths: eventPaths({ api, about, resources, crdOf: () => ({}) }) });
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  const stop = new AbortController();
  const recorder = createRecorder({ ...ports, client, resources, history });
  const running = recorder.run(stop.signal);
  while (recorder.check.problem() !== undefined) await nextTurn();
  return {
    api,
    history,
    maps: client.for(core.ConfigMap),
    port: listener.port,
    listener,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await listener.close();
      await server.close();
      await history.close();
    },
  };
}

async function until(truth: () => boolean): Promise<void> {
  const end = systemClock.monotonic() + 60_000;
  while (!truth()) {
    if (systemClock.monotonic() > end) throw new Error("it never came true");
    await sleep(systemClock, 5);
  }
}

async function watcher(port: number, query = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  await once(socket, "connect");
  socket.write(`GET /watch${query} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  return socket;
}

const WATCHERS = 1_000;
const CHANGES = 20;

test("1,000 watchers get every change once and in order, and leave nothing behind", async (t) => {
  await using served = await world();
  const texts: string[] = [];
  const sockets = await Promise.all(
    Array.from({ length: WATCHERS }, async (_, index) => {
      const socket = await watcher(served.port, "?namespace=default");
      texts[index] = "";
      socket.on("data", (text: string) => (texts[index] += text));
      return socket;
    }),
  );
  await until(() => texts.every((text) => text.includes("event: BOOKMARK")));
  assert.equal(served.api.streams, WATCHERS);
  const began = systemClock.monotonic();
  for (let i = 0; i < CHANGES; i++) await served.maps.create({ metadata: { name: `map-${i}`, namespace: "default" } });
  const names = (text: string): string[] =>
    [...text.matchAll(/"name":"(map-[0-9]+)","object"/g)].map(([, name]) => name!);
  await until(() => texts.every((text) => text.includes(`"map-${CHANGES - 1}","object"`)));
  t.diagnostic(`${CHANGES} changes to ${WATCHERS} watchers in ${Math.round(systemClock.monotonic() - began)} ms`);
  const expected = Array.from({ length: CHANGES }, (_, i) => `map-${i}`);
  for (const text of texts) assert.deepEqual(names(text), expected);
  for (const socket of sockets) socket.destroy();
  await until(() => served.api.streams === 0);
});

test("readers that read nothing cost no memory for what they miss, and are told when they read again", async (t) => {
  await using served = await world(50);
  const stalled = await Promise.all(Array.from({ length: 20 }, () => watcher(served.port, "?namespace=default")));
  for (const socket of stalled) socket.pause();
  await until(() => served.api.streams === stalled.length);
  const data = { text: "x".repeat(200_000) };
  // Together some 20 MB for each reader, of which its socket and one frame hold what they can.
  await served.maps.create({ metadata: { name: "large", namespace: "default" }, data });
  const before = process.memoryUsage().external;
  for (let i = 0; i < 100; i++) {
    await served.maps.patch({ name: "large", namespace: "default" }, { merge: { data: { count: String(i) } } });
  }
  await until(() => served.history.position >= 101);
  const grown = Math.round((process.memoryUsage().external - before) / 1e6);
  t.diagnostic(`${grown} MB for 20 readers that missed 20 MB each`);
  assert.ok(grown < 150, `${grown} MB`);
  const [reader] = stalled;
  let text = "";
  reader?.on("data", (part: string) => (text += part));
  reader?.resume();
  await until(() => /event: RESET\ndata: [^\n]*"Expired"/.test(text) && text.includes('"count":"99"'));
  for (const socket of stalled) socket.destroy();
  await until(() => served.api.streams === 0);
});

test("streams end when the listener closes", async () => {
  await using served = await world();
  const socket = await watcher(served.port);
  const ended = once(socket, "end");
  socket.resume();
  await until(() => served.api.streams === 1);
  await served.listener.close();
  await ended;
  assert.equal(served.api.streams, 0);
});
