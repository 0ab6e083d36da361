import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createGunzip, gunzipSync } from "node:zlib";
import { nextTurn } from "@gatewright/ports";
import { BodiesWorld } from "./bodies-world.ts";

const world = new BodiesWorld();
before(() => world.start());
after(() => {
  assert.deepEqual(world.faults, []);
  return world.close();
});

const JSON_TYPE = { "content-type": "application/json" };
const LONG = "all work and no play ".repeat(500);

/** The end of a route: a server that answers like this. */
async function to(listener: RequestListener): Promise<object> {
  return { match: [{ uri: { prefix: "/" } }], route: [{ destination: await world.serve(listener) }] };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

test("heads are changed both ways", async () => {
  const route = await to((request, response) => {
    response.setHeader("x-powered-by", "someone");
    response.end(String(request.headers["x-added"]));
  });
  const findings = world.route({
    ...route,
    headers: { request: { set: { "X-Added": "yes" } }, response: { remove: ["X-Powered-By"] } },
  });
  assert.deepEqual(findings, []);
  const got = await world.send("/");
  assert.deepEqual([got.bytes.toString(), got.headers["x-powered-by"]], ["yes", undefined]);
});

test("a redirect names this host, whatever the path", async () => {
  world.route({ match: [{ uri: { prefix: "/" } }], redirect: { scheme: "https", code: 308 } });
  const got = await world.send("//evil.example/a?b=c");
  assert.deepEqual([got.status, got.headers.location], [308, "https://127.0.0.1/evil.example/a?b=c"]);
});

test("answers are compressed, and HEAD is told so", async () => {
  const route = await to((request, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": String(LONG.length) });
    response.end(request.method === "HEAD" ? undefined : LONG);
  });
  assert.deepEqual(world.route({ ...route, compression: { enabled: true } }), []);
  const headers = { "accept-encoding": "gzip" };
  const got = await world.send("/", { headers });
  assert.equal(gunzipSync(got.bytes).toString(), LONG);
  assert.deepEqual([got.headers.vary, got.headers["content-length"]], ["accept-encoding", undefined]);
  const told = await world.send("/", { headers, method: "HEAD" });
  assert.deepEqual([told.headers["content-encoding"], told.headers["content-length"]], ["gzip", undefined]);
  assert.equal((await world.send("/")).bytes.toString(), LONG);
});

test("events arrive compressed when they happen, and a client that leaves frees the backend", async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
  const route = await to((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    resolve(response);
  });
  world.route({ ...route, compression: { enabled: true } });
  const sent = world.open("/", { headers: { "accept-encoding": "gzip" } });
  sent.on("error", () => {});
  const events = await opened;
  events.write("data: 1\n\n");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const text = answer.pipe(createGunzip()).setEncoding("utf8");
  text.on("error", () => {});
  assert.deepEqual(await once(text, "data"), ["data: 1\n\n"]);
  events.write("data: 2\n\n");
  assert.deepEqual(await once(text, "data"), ["data: 2\n\n"]);
  const closed = once(events, "close");
  sent.destroy();
  await closed;
});

test("many who ask at the same time are one request to the backend", async () => {
  let asked = 0;
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const route = await to((_request, response) => {
    asked++;
    arrived.resolve();
    void gate.promise.then(() => response.end(`answer ${asked}`));
  });
  world.route({ ...route, cache: { enabled: true, ttl: "1m" } });
  const asking = Array.from({ length: 20 }, () => world.send("/a"));
  await arrived.promise;
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  gate.resolve();
  const got = await Promise.all(asking);
  assert.deepEqual(new Set(got.map(({ bytes }) => bytes.toString())), new Set(["answer 1"]));
  assert.equal(asked, 1);
  assert.equal((await world.send("/a")).headers["x-cache"], "HIT");
  const poison = { "x-forwarded-host": "evil.example", "x-original-url": "/admin" };
  assert.equal((await world.send("/b", { headers: poison })).headers["x-cache"], "MISS");
  assert.equal((await world.send("/b")).headers["x-cache"], "MISS");
});

test("bodies are changed both ways", async () => {
  const route = await to((request, response) => {
    void bodyOf(request).then((body) => {
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify({ got: JSON.parse(body) as unknown, agent: request.headers["x-agent"], secret: 1 }));
    });
  });
  const findings = world.route({
    ...route,
    transform: {
      request: {
        dynamicHeaders: [{ name: "X-Agent", source: "header.user-agent" }],
        injectFields: [{ field: "by", source: "client.ip" }],
        removeFields: ["admin"],
      },
      response: { denyFields: ["secret"] },
    },
  });
  assert.deepEqual(findings, []);
  const sending = { method: "POST", headers: { ...JSON_TYPE, "user-agent": "t" }, body: '{"admin":1,"by":"forged"}' };
  const got = await world.send("/", sending);
  assert.equal(got.bytes.toString(), '{"got":{"by":"127.0.0.1"},"agent":"t"}');
});

test("many are asked and one answers", async () => {
  const answering =
    (value: unknown): RequestListener =>
    (_request, response) => {
      response.writeHead(200, JSON_TYPE);
      response.end(JSON.stringify(value));
    };
  const broken: RequestListener = (request) => void request.socket.destroy();
  const targets = [
    { name: "a", destination: await world.serve(answering({ items: [{ id: 1 }] })) },
    { name: "b", destination: await world.serve(answering({ items: [{ id: 2 }] })) },
    { name: "c", destination: await world.serve(broken) },
  ];
  const merge = { enabled: true, strategy: "deep" };
  const match = [{ uri: { prefix: "/" } }];
  assert.deepEqual(world.route({ match, aggregate: { enabled: true, targets, failMode: "quorum", merge } }), []);
  const got = await world.send("/");
  assert.deepEqual(
    [got.status, got.bytes.toString(), got.headers["x-aggregate"]],
    [200, '{"items":[{"id":1},{"id":2}]}', "2/3"],
  );
  world.route({ match, aggregate: { enabled: true, targets, failMode: "all", merge } });
  assert.equal((await world.send("/")).status, 502);
});

test("requests are checked against a document", async () => {
  const route = await to((request, response) => void bodyOf(request).then((body) => response.end(body)));
  const specInline = JSON.stringify({
    openapi: "3.0.0",
    paths: {
      "/users": {
        post: { requestBody: { content: { "application/json": { schema: { type: "object", required: ["name"] } } } } },
      },
    },
  });
  assert.deepEqual(world.route({ ...route, openAPIValidation: { enabled: true, specInline } }), []);
  const post = (body: string) => world.send("/users", { method: "POST", headers: JSON_TYPE, body });
  assert.deepEqual([(await post('{"name":"a"}')).bytes.toString(), (await post("{}")).status], ['{"name":"a"}', 400]);
  assert.equal((await world.send("/other")).status, 404);
});

test("operations of GraphQL are weighed", async () => {
  const route = await to((request, response) => void bodyOf(request).then((body) => response.end(body)));
  const spec = { ...route, match: [{ path: { exact: "/graphql" } }], depthLimit: 2, introspectionEnabled: false };
  assert.deepEqual(world.route(spec, "GraphQLRoute"), []);
  const post = (query: string) =>
    world.send("/graphql", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ query }) });
  assert.equal((await post("{ a { b } }")).bytes.toString(), '{"query":"{ a { b } }"}');
  assert.deepEqual(
    [(await post("{ a { b { c } } }")).status, (await post("{ __schema { description } }")).status],
    [400, 403],
  );
});
