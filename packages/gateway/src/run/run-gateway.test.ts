import assert from "node:assert/strict";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, afterEach, suite, test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { operatorApi } from "@gatewright/gateway-wire";
import { nextTurn } from "@gatewright/ports";
import { SmallOperator, wireResource } from "../control/testing/small-operator.ts";
import { ListenerError } from "../listeners/listener-error.ts";
import { direct, get, list, RunWorld } from "./testing/run-world.ts";

const { ResourceType, UpdateType } = operatorApi;
const snapshot = (...names: string[]) => ({
  type: UpdateType.FULL_SYNC,
  version: names.join("+"),
  snapshot: create(operatorApi.ConfigurationSnapshotSchema, {
    apiRoutes: names.map((name) =>
      wireResource(ResourceType.API_ROUTE, name, {
        match: [{ uri: { exact: `/${name}` } }],
        directResponse: { status: 200, body: `${name} of the operator` },
      }),
    ),
  }),
});

suite("a gateway that runs", () => {
  let world: RunWorld;
  beforeEach(async () => {
    world = await RunWorld.make();
  });
  afterEach(() => world.end());

  test("serves what its files say, and what they say later, without a failed request", async () => {
    await world.settings({ objects: ["routes.json"] });
    await world.file("routes.json", list(direct("a", "/a", "one")));
    const running = await world.run();
    const port = running.listeners[0]?.port;
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const seen = new Set<string>();
    const bad: unknown[] = [];
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const got = await get(port, "/a", { agent });
        if (got.status === 200) seen.add(got.text);
        else bad.push(got);
      }
    });
    for (const word of ["two", "three", "four", "five"]) {
      await world.file("routes.json", list(direct("a", "/a", word), direct("b", `/${word}`, "")));
      await running.reload();
      assert.equal((await get(port, "/a")).text, word);
    }
    isOver = true;
    await Promise.all(asking);
    agent.destroy();
    assert.deepEqual(bad, []);
    assert.ok(seen.has("one") && seen.has("five"));
  });

  test("listens as its settings say later, and names what needs another start", async () => {
    await world.settings({ objects: ["routes.json"] });
    await world.file("routes.json", list(direct("a", "/a", "one")));
    const running = await world.run();
    const more = { name: "more", address: "127.0.0.1", port: 0, hosts: ["api.example.com"] };
    await world.settings({
      objects: ["routes.json"],
      listeners: [{ name: "http", address: "127.0.0.1", port: 0 }, more],
      limits: { maxBodyBytes: 5 },
      workers: 3,
    });
    await running.reload();
    const [, second] = running.listeners;
    assert.deepEqual(
      running.listeners.map(({ name }) => name),
      ["http", "more"],
    );
    assert.equal((await get(second?.port, "/a", { headers: { host: "API.example.com:1" } })).text, "one");
    const refused = await get(second?.port, "/a", { headers: { host: "other.example.com" } });
    assert.deepEqual([refused.status, refused.text], [404, "this host is not served here\n"]);
    assert.deepEqual(
      world.logged.flatMap(({ setting }) => setting ?? []),
      ["workers", "limits.maxBodyBytes"],
    );
    await running.reload();
    assert.equal(world.logged.filter(({ setting }) => setting !== undefined).length, 2);
  });

  test("problems of files and objects are logged once each", async () => {
    await world.settings({ objects: ["routes.json"] });
    const bad = direct("bad", "no slash", "");
    await world.file("routes.json", list(bad, direct("a", "/a", "one")));
    const running = await world.run();
    await world.file("routes.json", list(bad, direct("a", "/a", "two")));
    await running.reload();
    await world.file("routes.json", list(bad, direct("a", "/a", "three"), { kind: "Other", apiVersion: "v1" }));
    await running.reload();
    await running.reload();
    const told = world.logged.filter(({ level }) => level !== "info").map(({ message, object }) => [message, object]);
    assert.deepEqual(told, [
      ["An object was refused; a good one of its name from before goes on", "APIRoute default/bad"],
      ["Something in a file does nothing", undefined],
    ]);
  });

  test("a port that is taken by another is told, and where none can be had there is no gateway", async () => {
    await world.settings();
    const running = await world.run();
    const port = running.listeners[0]?.port;
    await world.settings({ listeners: [{ name: "http", address: "127.0.0.1", port }] });
    await assert.rejects(world.run(), (error) => {
      assert.ok(error instanceof ListenerError);
      assert.match(error.message, /is taken: stop the program/);
      return true;
    });
  });

  suite("with an operator", () => {
    let operator: SmallOperator;
    let port = 0;
    before(async () => {
      operator = new SmallOperator();
      port = await operator.listen();
    });
    after(() => operator.close());

    test("is ready with its first snapshot, acknowledges, and starts again from disk while the operator is away", async () => {
      const spec = { operator: { address: `127.0.0.1:${port}`, tls: { enabled: false } }, stateDirectory: "state" };
      await world.settings({ ...spec, objects: ["routes.json"] });
      await world.file("routes.json", list(direct("mine", "/mine", "of the file")));
      const running = await world.run();
      await operator.until(() => operator.streams.length === 1);
      const [{ port: http } = { port: 0 }] = running.listeners;
      const waiting = await get(running.adminPort, "/readyz");
      assert.deepEqual([waiting.status, waiting.text], [503, "waits for its first configuration\n"]);
      assert.equal((await get(http, "/mine")).text, "of the file");
      const early = await get(http, "/a");
      assert.deepEqual([early.status, early.headers["retry-after"]], [503, "1"]);

      operator.send(snapshot("a", "b"));
      await operator.until(() => operator.acknowledged.length === 1);
      assert.equal(operator.acknowledged[0]?.success, true);
      assert.equal((await get(running.adminPort, "/readyz")).status, 200);
      assert.equal((await get(http, "/a")).text, "a of the operator");
      assert.equal((await get(http, "/mine")).text, "of the file");
      assert.equal((await get(http, "/nothing")).status, 404);
      operator.send({
        type: UpdateType.MODIFIED,
        version: "bad",
        sequence: 5n,
        resource: wireResource(ResourceType.API_ROUTE, "b", { match: [{ uri: { exact: "no slash" } }] }),
      });
      await operator.until(() => operator.acknowledged.length === 2);
      assert.equal(operator.acknowledged[1]?.success, false);
      await running.close();

      await world.settings({ ...spec, operator: { address: "127.0.0.1:1", tls: { enabled: false } } });
      const again = await world.run();
      assert.equal((await get(again.adminPort, "/readyz")).status, 200);
      assert.equal((await get(again.listeners[0]?.port, "/a")).text, "a of the operator");
      assert.equal((await get(again.listeners[0]?.port, "/b")).text, "b of the operator");
    });
  });

  test("GraphQL requests find their route by their operation, and their backend gets them whole", async () => {
    const [reads, writes] = [await echoing("reads"), await echoing("writes")];
    const route = (name: string, operationType: string, { port }: Echoing): object => ({
      apiVersion: "avapigw.io/v1alpha1",
      kind: "GraphQLRoute",
      metadata: { name },
      spec: { match: [{ operationType }], route: [{ destination: { host: "127.0.0.1", port } }] },
    });
    await world.settings({ objects: ["routes.json"], graphql: { path: "/api/graphql" } });
    await world.file("routes.json", list(route("reads", "query", reads), route("writes", "mutation", writes)));
    const running = await world.run();
    const port = running.listeners[0]?.port;
    const post = (query: string, path = "/api/graphql") =>
      get(port, path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
    assert.equal((await post("{ a }")).text, 'reads {"query":"{ a }"}');
    assert.equal((await post("mutation { a }")).text, 'writes {"query":"mutation { a }"}');
    assert.equal((await post("subscription { a }")).status, 404);
    assert.equal((await post("#".repeat(1024 * 1024))).status, 413);
    assert.equal((await get(port, "/api/graphql?query=%7Ba%7D")).text, "reads ");
    assert.equal((await post("{ a }", "/graphql")).status, 404);
    await running.close();
    reads.close();
    writes.close();
  });

  test("ends when its signal aborts", async () => {
    await world.settings();
    const ending = new AbortController();
    const running = await world.run({}, ending.signal);
    ending.abort();
    await running.ended;
    await assert.rejects(get(running.listeners[0]?.port ?? running.adminPort, "/"));
  });

  test("ends when it is closed, after what is under way, and says so to those who look", async () => {
    await world.settings({ objects: ["routes.json"], stateDirectory: "state" });
    await world.file(
      "routes.json",
      list(direct("slow", "/slow", "late", { fault: { delay: { percentage: 100, fixedDelay: "300ms" } } })),
    );
    const running = await world.run();
    const asked = get(running.listeners[0]?.port, "/slow");
    while ((await get(running.adminPort, "/listeners")).text.includes('"activeRequests": 0')) await nextTurn();
    const closing = running.close();
    const looked = await get(running.adminPort, "/readyz");
    assert.deepEqual([looked.status, looked.text], [503, "is about to end\n"]);
    assert.equal((await asked).text, "late");
    await closing;
    await running.ended;
    assert.equal(world.lines.at(-1)?.["status"], 200);
    await assert.rejects(get(running.adminPort, "/healthz"));
  });
});

interface Echoing {
  readonly port: number;
  close(): void;
}

/** A backend that answers with its name and what it got. */
async function echoing(name: string): Promise<Echoing> {
  const server = createServer(
    (request, response) => void text(request).then((body) => response.end(`${name} ${body}`)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
