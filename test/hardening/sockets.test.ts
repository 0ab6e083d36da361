import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer, Listener } from "@gatewright/apiserver";
import { raw } from "./raw.ts";

const HOST = "Host: 127.0.0.1\r\n";
const MiB = 1024 * 1024;

describe("on a socket", () => {
  let server: ApiServer;
  let listener: Listener;
  const faults: string[] = [];
  before(async () => {
    server = await createApiServer({ log: (level, message) => void (level === "error" && faults.push(message)) });
    listener = await server.listen({ host: "127.0.0.1", port: 0 });
  });
  after(async () => {
    await listener.close();
    await server.close();
    assert.deepEqual(faults, []);
  });

  /** Says something on a connection of its own, and gives what comes back. */
  const said = async (text: string | Uint8Array, until?: RegExp): Promise<string> => {
    using connection = raw(listener.port);
    connection.say(text);
    return await connection.heard(until);
  };
  const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 ([0-9]{3})/g)].map((match) => match[1]!);

  test("requests that come at once are answered in order", async () => {
    const one = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
    const heard = await said(one("/readyz") + one("/api/v1/namespaces/nope") + one("/version"), /gitVersion/);
    assert.deepEqual(statuses(heard), ["200", "404", "200"]);
  });

  test("what is not HTTP is refused, after the answers to what was", async () => {
    assert.match(await said("hello\r\n\r\n"), /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/plain/);
    const heard = await said(`DELETE /api/v1/namespaces/nope HTTP/1.1\r\n${HOST}\r\n{"kind":"DeleteOptions"}\r\n\r\n`);
    assert.deepEqual(statuses(heard), ["404"]);
    const post = `POST /api/v1/namespaces HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;
    assert.deepEqual(statuses(await said(`${post}zz\r\n`)), ["400"]);
    const smuggled = `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    assert.deepEqual(statuses(await said(smuggled)), ["400"]);
  });

  test("only this machine's names are known, wherever the request puts them", async () => {
    const get = (target: string, headers: string): Promise<string> =>
      said(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    assert.deepEqual(statuses(await get("/readyz", HOST)), ["200"]);
    assert.deepEqual(statuses(await get("/readyz", "Host: evil.example\r\n")), ["403"]);
    assert.deepEqual(statuses(await get("/readyz", `Host: 127.0.0.1.evil.example:${listener.port}\r\n`)), ["403"]);
    assert.deepEqual(statuses(await get("/readyz", `${HOST}Host: evil.example\r\n`)), ["400"]);
    assert.deepEqual(statuses(await get("http://evil.example/readyz", HOST)), ["403"]);
    assert.deepEqual(statuses(await get("http://localhost/readyz", HOST)), ["200"]);
    assert.deepEqual(statuses(await get("/readyz", `${HOST}Origin: http://evil.example\r\n`)), ["403"]);
    assert.deepEqual(statuses(await get("/readyz", `${HOST}Origin: null\r\n`)), ["403"]);
    assert.deepEqual(statuses(await get("/readyz", `${HOST}Origin: http://127.0.0.1\r\n`)), ["200"]);
    assert.deepEqual(statuses(await get("/readyz", `${HOST}Sec-Fetch-Site: cross-site\r\n`)), ["403"]);
  });

  test("paths are decoded once, and mean nothing but names", async () => {
    const get = (target: string): Promise<string> => said(`GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    assert.match(await get("/api/v1/namespaces/%2e%2e"), / 400 .*Name parameter invalid: \\"..\\": may not be '..'/s);
    assert.match(await get("/api/v1/namespaces/a%00b"), / 404 .*namespaces \\"a\\\\x00b\\" not found/s);
    assert.match(await get("/api/v1/namespaces/%252e%252e"), / 404 .*namespaces \\"%2e%2e\\" not found/s);
    assert.match(await get("/api/v1/namespaces/%ff"), / 404 /);
    assert.match(await get("/api/v1/namespaces/%zz"), / 400 /);
    assert.match(await get("/api/v1//namespaces"), / 404 /);
    assert.match(await get("//api/v1/namespaces"), / 404 .*404 page not found/s);
    assert.match(await get(`/api/v1/namespaces/${"x".repeat(20_000)}`), / 404 /);
  });

  test("a long selector is read, an endless head is not", async () => {
    const selector = `a in (${"x,".repeat(50_000)}y)`;
    const listing = `GET /api/v1/namespaces?labelSelector=${encodeURIComponent(selector)} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    assert.deepEqual(statuses(await said(listing)), ["200"]);
    assert.deepEqual(statuses(await said(`GET / HTTP/1.1\r\n${HOST}X: ${"x".repeat(2 * MiB)}\r\n\r\n`)), ["431"]);
  });

  test("a body that is too large is refused in words that its sender gets to hear", async () => {
    const head = `POST /api/v1/namespaces HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
    const large = Buffer.alloc(4 * MiB, " ");
    const declared = await said(Buffer.concat([Buffer.from(`${head}Content-Length: ${large.length}\r\n\r\n`), large]));
    assert.match(declared, /^HTTP\/1\.1 413 .*"message":"Request entity too large: limit is 3145728".*"code":413/s);
    const size = `${large.length.toString(16)}\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${size}`;
    assert.match(
      await said(Buffer.concat([Buffer.from(chunked), large, Buffer.from("\r\n0\r\n\r\n")])),
      /^HTTP\/1\.1 413 /,
    );
  });

  test("what a warning says reaches the client whatever script it is written in", async () => {
    const body = Buffer.from(`{"metadata":{"name":"x"},"日本":1}`);
    const head = `POST /api/v1/namespaces?dryRun=All HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Type: application/json\r\n`;
    const heard = await said(Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]));
    assert.ok(
      Buffer.from(heard, "latin1")
        .toString()
        .includes(String.raw`299 - "unknown field \"日本\""`),
      heard,
    );
  });

  test("aborted uploads and half-sent requests leave nothing behind", async () => {
    for (let i = 0; i < 50; i++) {
      using connection = raw(listener.port);
      connection.say(`POST /api/v1/namespaces HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n{"a`);
      await connection.heard(/^/);
    }
    assert.deepEqual(statuses(await said(`GET /readyz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)), ["200"]);
  });
});

test("a listener that closes ends its watches, and the server its own", async () => {
  const server = await createApiServer();
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  using watcher = raw(listener.port);
  watcher.say(`GET /api/v1/namespaces?watch=1 HTTP/1.1\r\n${HOST}\r\n`);
  await watcher.heard(/ADDED/);
  const inProcess = await server.transport()({ method: "GET", path: "/api/v1/namespaces?watch=1" });
  const drained = (async () => {
    let events = 0;
    for await (const _ of inProcess.body) events++;
    return events;
  })();
  await listener.close();
  assert.match(await watcher.heard(), /\r\n0\r\n\r\n$/, "the stream ends whole");
  await server.close();
  assert.ok((await drained) > 0);
});
