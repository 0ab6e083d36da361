import assert from "node:assert/strict";
import { Agent } from "node:http";
import { afterEach, beforeEach, suite, test } from "node:test";
import { Worker } from "node:worker_threads";
import { create } from "@bufbuild/protobuf";
import { operatorApi } from "@gatewright/gateway-wire";
import { sleep, systemClock } from "@gatewright/ports";
import { SmallOperator, wireResource } from "../control/testing/small-operator.ts";
import { direct, get, list, RunWorld } from "../run/testing/run-world.ts";
import type { Got } from "../run/testing/run-world.ts";
import type { WorkerStart } from "./worker-messages.ts";

const { ResourceType, UpdateType } = operatorApi;
const snapshot = (body: string) => ({
  type: UpdateType.FULL_SYNC,
  version: body,
  snapshot: create(operatorApi.ConfigurationSnapshotSchema, {
    apiRoutes: [
      wireResource(ResourceType.API_ROUTE, "a", {
        match: [{ uri: { exact: "/a" } }],
        directResponse: { status: 200, body },
      }),
    ],
  }),
});

suite("workers", () => {
  let world: RunWorld;
  let threads: Worker[];
  beforeEach(async () => {
    threads = [];
    world = await RunWorld.make();
  });
  afterEach(() => world.end());

  const spawn = (workerData: WorkerStart): Worker => {
    const thread = new Worker(new URL("./worker-main.ts", import.meta.url), { workerData, execArgv: [] });
    threads.push(thread);
    return thread;
  };

  /** Looks again and again, a little later each time, until it holds. */
  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(systemClock, 20);
  }

  /** Asks over new connections, which the system spreads over all who listen. */
  const many = (port: number | undefined, path: string, count = 40): Promise<Got[]> =>
    Promise.all(Array.from({ length: count }, () => get(port, path)));

  const requestsOf = (scrape: string): number =>
    [...scrape.matchAll(/^gatewright_gateway_requests_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );

  test("both serve and count together, and when one ends, requests to the other go on until another takes its place", async () => {
    await world.settings({ objects: ["routes.json"], workers: 2 });
    const rateLimit = { enabled: true, requestsPerSecond: 1, burst: 10 };
    const limited = direct("limited", "/limited", "", { rateLimit });
    await world.file("routes.json", list(direct("a", "/a", "one"), limited));
    const running = await world.run({ spawn });
    const port = running.listeners[0]?.port;
    const passed = (await many(port, "/limited")).filter(({ status }) => status === 200).length;
    assert.ok(passed >= 5 && passed <= 15, `each lets its share through: ${passed}`);
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const ask = (some: readonly Agent[]) => Promise.all(some.map((agent) => get(port, "/a", { agent })));
    assert.ok((await ask(agents)).every(({ text }) => text === "one"));
    await until(async () => world.lines.length === 60);
    const { text } = await get(running.adminPort, "/metrics");
    assert.equal(requestsOf(text), 60);
    assert.match(text, /^gatewright_gateway_objects\{kind="APIRoute"\} 2$/m);
    assert.match(text, /^process_resident_memory_bytes \d+$/m);

    const connected = (): Agent[] => agents.filter(({ freeSockets }) => Object.keys(freeSockets).length > 0);
    assert.equal(connected().length, 20);
    await threads[0]?.terminate();
    await until(async () => connected().length < 20);
    assert.ok(connected().length > 0, "the system spreads connections over both");
    assert.ok((await ask(connected())).every(({ status }) => status === 200));
    assert.ok(requestsOf((await get(running.adminPort, "/metrics")).text) >= 60, "what was counted stays counted");
    await world.file("routes.json", list(direct("a", "/a", "two"), limited));
    await running.reload();
    assert.ok((await many(port, "/a")).every((got) => got.text === "two"));
    const workers = async (): Promise<string> => (await get(running.adminPort, "/listeners")).text;
    await until(async () => /"state": "listening",\s*"restarts": 1/.test(await workers()));
    assert.ok((await many(port, "/a")).every((got) => got.text === "two"));
    assert.ok(world.logged.some(({ message }) => message === "A worker ended; another one takes its place"));
    for (const agent of agents) agent.destroy();
  });

  test("a change is everywhere before it is acknowledged", async () => {
    const operator = new SmallOperator();
    const address = `127.0.0.1:${await operator.listen()}`;
    await world.settings({ operator: { address, tls: { enabled: false } }, workers: 2 });
    const running = await world.run({ spawn });
    const port = running.listeners[0]?.port;
    await operator.until(() => operator.streams.length === 1);
    assert.deepEqual(new Set((await many(port, "/a")).map(({ status }) => status)), new Set([503]));
    for (const [times, word] of ["one", "two", "three"].entries()) {
      operator.send(snapshot(word));
      await operator.until(() => operator.acknowledged.length === times + 1);
      assert.deepEqual(new Set((await many(port, "/a")).map(({ text }) => text)), new Set([word]));
    }
    await running.close();
    operator.close();
  });
});
