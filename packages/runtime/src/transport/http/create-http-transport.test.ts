import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import type { Transport, TransportResponse } from "../transport.ts";
import { createHttpTransport } from "./create-http-transport.ts";
import { fakeServer, fakeSocketServer } from "./testing/fake-server.ts";

async function text(response: TransportResponse): Promise<string> {
  let all = "";
  for await (const chunk of response.body) all += Buffer.from(chunk).toString();
  return all;
}

const get = (transport: Transport, path = "/") => transport({ method: "GET", path });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moves a clock on until something has settled. */
async function whileTimePasses<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const end = promise.finally(() => (settled = true));
  end.catch(() => {});
  while (!settled) {
    await turn();
    clock.advance(100);
  }
  return end;
}

test("a request arrives as it was given: method, path below the server's, repeated headers, body", async () => {
  const seen: unknown[] = [];
  await using server = await fakeServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, rawHeaders, headers } = request;
      const groups = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === "impersonate-group");
      seen.push(method, url, groups, headers["content-length"], headers.host, headers["accept-encoding"]);
      response.writeHead(201, { "x-one": "1" }).end(Buffer.concat(chunks));
    });
  });
  const transport = createHttpTransport({ server: `${server.url}/below/` });
  const headers = { "impersonate-group": ["a", "b"] };
  const response = await transport({ method: "PUT", path: "/api?x=%2F", headers, body: "grün" });
  assert.deepEqual([response.status, response.headers["x-one"], await text(response)], [201, "1", "grün"]);
  const host = `127.0.0.1:${server.port}`;
  assert.deepEqual(seen, ["PUT", "/below/api?x=%2F", ["a", "b"], "5", host, undefined]);
  transport.close();
});

test("requests share a connection, and each watch has its own", async () => {
  const ports: (number | undefined)[] = [];
  await using server = await fakeServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end("x");
  });
  const transport = createHttpTransport({ server: server.url });
  for (const path of ["/a", "/b", "/c?watch=true", "/d?watch=true"]) {
    await text(await get(transport, path));
    await turn();
  }
  const [a, b, c, d] = ports;
  assert.equal(a, b);
  assert.equal(new Set([a, c, d]).size, 3);
  transport.close();
});

test("nobody there is refused; so is a name that leads nowhere", async () => {
  const server = await fakeServer(() => {});
  await server[Symbol.asyncDispose]();
  await assert.rejects(get(createHttpTransport({ server: server.url })), { code: "refused" });
  await assert.rejects(get(createHttpTransport({ server: "http://nowhere.invalid" })), { code: "refused" });
});

test("a connection that ends before the answer, or within it, is cut", async () => {
  await using server = await fakeServer((request, response) => {
    if (request.url === "/before") return void request.socket.destroy();
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setImmediate(() => request.socket.destroy());
  });
  const transport = createHttpTransport({ server: server.url });
  await assert.rejects(get(transport, "/before"), { code: "cut" });
  const response = await get(transport, "/within");
  await assert.rejects(text(response), { code: "cut" });
});

test("a server that speaks something else is malformed", async () => {
  await using server = await fakeSocketServer(
    (socket) => void socket.once("data", () => socket.write("SSH-2.0\r\n\r\n")),
  );
  await assert.rejects(get(createHttpTransport({ server: server.url })), { code: "malformed" });
});

test("a server that switches protocols has cut the connection", { timeout: 10_000 }, async () => {
  const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  await using server = await fakeSocketServer((socket) => void socket.once("data", () => socket.write(switched)));
  const clock = new ManualClock();
  const transport = createHttpTransport({ server: server.url, clock });
  await assert.rejects(get(transport), { code: "cut" });
  await assert.rejects(get(transport, "/?watch=true"), { code: "cut" });
  assert.equal(clock.pending, 0);
  transport.close();
});

test("a server that takes a connection and says nothing is given up: during TLS as refused, later as a timeout", async () => {
  await using server = await fakeSocketServer(() => {});
  const clock = new ManualClock();
  const secure = createHttpTransport({ server: `https://127.0.0.1:${server.port}`, clock });
  await assert.rejects(whileTimePasses(clock, get(secure)), { code: "refused" });
  const plain = createHttpTransport({ server: server.url, clock });
  await assert.rejects(whileTimePasses(clock, get(plain)), { code: "timeout" });
  assert.equal(clock.pending, 0);
});

test("a request that falls silent is given up, a watch is not", async () => {
  await using server = await fakeServer((_, response) => {
    response.write("begun");
  });
  const clock = new ManualClock();
  const transport = createHttpTransport({ server: server.url, clock });
  await assert.rejects(whileTimePasses(clock, get(transport).then(text)), { code: "timeout" });
  const watch = await get(transport, "/?watch=1");
  const chunks = watch.body[Symbol.asyncIterator]();
  await chunks.next();
  assert.equal(clock.pending, 0);
  await chunks.return?.();
});

test("an aborted request rejects with the reason, before the answer and within it", async () => {
  await using server = await fakeServer((request, response) => {
    if (request.url !== "/never") response.write("begun");
  });
  const transport = createHttpTransport({ server: server.url });
  const stop = new Error("stop");
  for (const path of ["/never", "/?watch=true"]) {
    const controller = new AbortController();
    const ended = transport({ method: "GET", path, signal: controller.signal }).then(text);
    await turn();
    controller.abort(stop);
    await assert.rejects(ended, (error) => error === stop);
  }
});

test("leaving a body closes its connection, even when nothing was read", async () => {
  let closed!: () => void;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  await using server = await fakeServer((_, response) => {
    response.on("close", closed);
    response.write("endless");
  });
  const response = await get(createHttpTransport({ server: server.url }), "/?watch=true");
  await response.body[Symbol.asyncIterator]().return?.();
  await isClosed;
});

test("a read finds a new connection when the server has closed the kept one", async () => {
  let requests = 0;
  await using server = await fakeSocketServer((socket) => {
    let first = true;
    socket.on("data", () => {
      requests++;
      if (first) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      else socket.resetAndDestroy();
      first = false;
    });
  });
  const transport = createHttpTransport({ server: server.url });
  await text(await get(transport));
  await turn();
  assert.equal(await text(await get(transport)), "ok");
  assert.equal(requests, 3);
  await text(await get(transport));
  await turn();
  await assert.rejects(transport({ method: "POST", path: "/" }), { code: "cut" });
  transport.close();
});

test("401 is answered with newer credentials once, and stands when there are none", async () => {
  const shown: (string | undefined)[] = [];
  await using server = await fakeServer((request, response) => {
    shown.push(request.headers.authorization);
    response.writeHead(request.headers.authorization === "Bearer 3" ? 200 : 401).end("answer");
  });
  let newest = 1;
  let held = 0;
  const credentials = {
    current: async () => ({ authorization: `Bearer ${(held ||= newest)}` }),
    refused: () => void (held = newest),
  };
  const transport = createHttpTransport({ server: server.url, credentials });
  const first = await get(transport);
  assert.deepEqual([first.status, await text(first), shown.length], [401, "answer", 1]);
  newest = 2;
  const second = await get(transport);
  assert.deepEqual([second.status, shown.slice(1)], [401, ["Bearer 1", "Bearer 2"]]);
  await text(second);
  newest = 3;
  assert.equal((await transport({ method: "POST", path: "/", body: "again" })).status, 200);
  transport.close();
});

test("an HTTP proxy is asked to connect, with its login, and may refuse", async () => {
  await using server = await fakeServer((_, response) => void response.end("through"));
  const asked: string[] = [];
  await using proxy = await fakeSocketServer((socket) => {
    socket.once("data", (head: Buffer) => {
      asked.push(head.toString());
      if (!head.includes("Basic dTpw")) return void socket.end("HTTP/1.1 407 No\r\n\r\n");
      const onward = net.connect(server.port, "127.0.0.1");
      onward.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
  });
  const transport = createHttpTransport({ server: server.url, proxy: `http://u:p@127.0.0.1:${proxy.port}` });
  assert.equal(await text(await get(transport)), "through");
  assert.match(asked[0] ?? "", new RegExp(`^CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n`));
  transport.close();
  const stranger = createHttpTransport({ server: server.url, proxy: proxy.url });
  await assert.rejects(get(stranger), {
    code: "refused",
    message: /proxy 127.0.0.1:\d+ refused the connection \(407\)/,
  });
});

test("a SOCKS5 proxy is given the name and the login", async () => {
  await using server = await fakeServer((_, response) => void response.end("through"));
  const said: Buffer[] = [];
  await using proxy = await fakeSocketServer((socket) => {
    const answers = [Buffer.from([5, 2]), Buffer.from([1, 0])];
    socket.on("data", function listen(bytes: Buffer) {
      said.push(bytes);
      const answer = answers.shift();
      if (answer !== undefined) return void socket.write(answer);
      socket.off("data", listen);
      const onward = net.connect(server.port, "127.0.0.1");
      onward.on("error", () => {});
      socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      socket.pipe(onward).pipe(socket);
    });
  });
  const transport = createHttpTransport({
    server: `http://localhost:${server.port}`,
    proxy: `socks5://u:p@127.0.0.1:${proxy.port}`,
  });
  assert.equal(await text(await get(transport)), "through");
  const [methods, login, target] = said;
  assert.deepEqual([...methods!], [5, 2, 0, 2]);
  assert.deepEqual([...login!], [1, 1, 0x75, 1, 0x70]);
  assert.equal(target!.subarray(5, 14).toString(), "localhost");
  transport.close();
});
