import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { bodyText, nodeWorld } from "./testing/node-world.ts";

const PROXY = "/api/v1/namespaces/shop/pods/one/proxy";
const ADMIN = { authorization: "Bearer secret" };
const tokens = [{ token: "secret", user: { username: "root", uid: "", groups: ["system:masters"], extra: {} } }];

test("a pod is asked with its own path, query, method and body, and answers with its own status and headers", async (t) => {
  const seen: string[] = [];
  const world = await nodeWorld(t, {
    async pod(request, response) {
      const body = await bodyText(request);
      seen.push(`${request.method} ${request.url} ${request.headers.host} ${body}`);
      response.writeHead(418, { "x-kettle": "yes", "content-type": "text/tea" }).end("short and stout");
    },
  });
  await world.createPod("one");
  const response = await fetch(`${world.listener.url}${PROXY}/a%20b//c/?x=1&flag`, { method: "POST", body: "tea" });
  assert.equal(response.status, 418);
  assert.equal(response.headers.get("x-kettle"), "yes");
  assert.equal(response.headers.get("content-type"), "text/tea");
  assert.equal(await response.text(), "short and stout");
  assert.deepEqual(seen, ["POST /a%20b//c/?x=1&flag 10.244.0.1:8080 tea"]);
  const inProcess = await world.server.transport()({ method: "PUT", path: `${PROXY}/d?e`, body: "more" });
  assert.equal(await bodyText(inProcess.body), "short and stout");
  assert.equal(seen[1], "PUT /d?e 10.244.0.1:8080 more");
});

test("neither credentials nor cookies go to a pod, and its cookies and scripts get no hold of the server's origin", async (t) => {
  let headers: IncomingMessage["headers"] = {};
  const world = await nodeWorld(t, {
    access: "required",
    tokens,
    pod(request, response) {
      headers = request.headers;
      response.setHeader("set-cookie", "a=b").end("<script>");
    },
  });
  await world.createPod("one");
  const sent = {
    ...ADMIN,
    cookie: "session=1",
    "impersonate-user": "root",
    "impersonate-group": "system:masters",
    "x-mine": "1",
  };
  const response = await fetch(`${world.listener.url}${PROXY}/`, { headers: sent });
  assert.equal(response.status, 200);
  for (const name of ["authorization", "cookie", "impersonate-user", "impersonate-group"]) {
    assert.equal(headers[name], undefined, name);
  }
  assert.equal(headers["x-mine"], "1");
  assert.equal(headers["x-forwarded-uri"], `${PROXY}/`);
  assert.equal(response.headers.get("set-cookie"), null);
  assert.match(response.headers.get("content-security-policy") ?? "", /^sandbox (?!.*allow-same-origin)/);
});

test("who may get pods may not go through their proxy", async (t) => {
  const reader = { token: "reader", user: { username: "reader", uid: "", groups: [], extra: {} } };
  const world = await nodeWorld(t, { access: "required", tokens: [...tokens, reader] });
  await world.createPod("one");
  const response = await fetch(`${world.listener.url}${PROXY}/`, { headers: { authorization: "Bearer reader" } });
  const { message } = (await response.json()) as { message: string };
  assert.equal(
    message,
    'pods "one" is forbidden: User "reader" cannot get resource "pods/proxy" in API group "" in the namespace "shop"',
  );
});

test("bodies go both ways as they come", async (t) => {
  const world = await nodeWorld(t, {
    pod: (request, response) => void request.pipe(response),
  });
  await world.createPod("one");
  const call = httpRequest(`${world.listener.url}${PROXY}/echo`, { method: "POST" });
  const echo = new Promise<IncomingMessage>((resolve) => call.once("response", resolve));
  call.write("ping");
  const answer = await echo;
  const first = await new Promise<Buffer>((resolve) => answer.once("data", resolve));
  assert.equal(first.toString(), "ping");
  const large = Buffer.alloc(8 * 1024 * 1024, "x");
  call.end(large);
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) size += chunk.length;
  assert.equal(size, large.length);
});

test("names have the forms name, name:port and scheme:name:port; ports that are closed and pods that are not there say so", async (t) => {
  const world = await nodeWorld(t);
  await world.createPod("one");
  await world.createService("web", "one");
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${world.listener.url}/api/v1/namespaces/shop/${path}`);
    const text = await response.text();
    return `${response.status} ${text.startsWith("{") ? (JSON.parse(text) as { message: string }).message : text}`;
  };
  const hello = "200 hello from the pod";
  assert.equal(await ask("pods/one/proxy/"), hello);
  assert.equal(await ask("pods/one:8080/proxy/"), hello);
  assert.equal(await ask("pods/http:one:8080/proxy/"), hello);
  assert.equal(await ask("services/web:http/proxy/"), hello);
  assert.equal(await ask("services/web:80/proxy/x"), hello);
  assert.equal(await ask("services/http:web:80/proxy/x"), hello);
  assert.equal(await ask("pods/one:99/proxy/"), "503 error trying to reach service: connect: connection refused");
  assert.equal(await ask("pods/zz:one:80/proxy/"), '400 invalid pod request "zz:one:80"');
  assert.equal(await ask("pods/a:b:c:d/proxy/"), '400 invalid pod request "a:b:c:d"');
  assert.equal(await ask("services/none/proxy/"), '404 services "none" not found');
  assert.equal(await ask("services/web:81/proxy/"), '503 no service port 81 found for service "web"');
  assert.equal(await ask("services/web/proxy/"), '503 no endpoints available for service "web"');
});

test("redirects stay within the proxy; a proxy without a path leads to its root", async (t) => {
  const world = await nodeWorld(t, {
    pod: (request, response) =>
      void response.writeHead(302, { location: request.url === "/out" ? "http://example.com/" : "/login?x=1" }).end(),
  });
  await world.createPod("one");
  const location = async (path: string) => {
    const response = await fetch(`${world.listener.url}${PROXY}${path}`, { redirect: "manual" });
    return `${response.status} ${response.headers.get("location")}`;
  };
  assert.equal(await location("?a=b"), `301 ${PROXY}/?a=b`);
  assert.equal(await location("/in"), `302 ${PROXY}/login?x=1`);
  assert.equal(await location("/out"), "302 http://example.com/");
});

test("a protocol that the pod changes to goes through, and a caller that leaves is missed by the pod", async (t) => {
  const world = await nodeWorld(t, {
    pod(request) {
      const { socket } = request;
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: shout\r\n\r\n");
      socket.on("data", (chunk: Buffer) => socket.write(chunk.toString().toUpperCase()));
    },
  });
  await world.createPod("one");
  const headers = { connection: "Upgrade", upgrade: "shout" };
  const call = httpRequest(`${world.listener.url}${PROXY}/`, { headers }).end();
  const socket = await new Promise<IncomingMessage["socket"]>((resolve) =>
    call.once("upgrade", (_, socket) => resolve(socket)),
  );
  socket.write("hello");
  assert.equal((await new Promise<Buffer>((resolve) => socket.once("data", resolve))).toString(), "HELLO");
  const [pod] = world.connections;
  const missed = new Promise((resolve) => pod?.once("close", resolve));
  socket.destroy();
  await missed;
});
