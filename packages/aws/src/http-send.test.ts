import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { test } from "node:test";
import { AddressRefusedError } from "./address-refused-error.ts";
import { createHttpSend } from "./http-send.ts";
import { NotSentError } from "./send.ts";

const REQUEST = { method: "POST", path: "/?a=b", headers: { host: "x", "x-one": "1" }, body: Buffer.from("ask") };
const { signal } = new AbortController();

test("requests arrive as they are, over one connection, and answers come back whatever their status", async () => {
  const ports = new Set<number | undefined>();
  const server = createServer((request, response) => {
    ports.add(request.socket.remotePort);
    const answer = (body: string): unknown =>
      response.writeHead(418, { "x-amzn-requestid": "r" }).end(`${request.method} ${request.url} ${body}`);
    void request.toArray().then((parts) => answer(parts.join("")));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  await using http = createHttpSend();
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let call = 0; call < 2; call++) {
    const { status, headers, body } = await http.send(endpoint, REQUEST, signal);
    assert.deepEqual([status, headers["x-amzn-requestid"]], [418, "r"]);
    assert.equal(Buffer.from(body).toString(), "POST /?a=b ask");
  }
  assert.equal(ports.size, 1);
  http.close();
  server.close();
});

test("where nobody listens the request was certainly not sent", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await using http = createHttpSend();
  await assert.rejects(http.send(new URL(`http://127.0.0.1:${port}`), REQUEST, signal), NotSentError);
});

test("addresses that are refused are not connected to, whether named or looked up", async () => {
  let connections = 0;
  const server = createServer((_request, response) => response.end()).on("connection", () => connections++);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const refuses = (address: string): boolean => {
    asked.push(address);
    return address === "127.0.0.1" || address === "::1";
  };
  await using http = createHttpSend({ refuses });
  for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::1]"]) {
    await assert.rejects(http.send(new URL(`http://${host}:${port}`), REQUEST, signal), AddressRefusedError, host);
  }
  assert.equal(connections, 0);
  assert.ok(asked.length >= 4);
  await using open = createHttpSend({ refuses: () => false });
  assert.equal((await open.send(new URL(`http://127.0.0.1:${port}`), REQUEST, signal)).status, 200);
  open.close();
  server.close();
});

test("an answer that does not end is cut off", async () => {
  let closed: () => void = () => {};
  const cut = new Promise<void>((resolve) => (closed = resolve));
  const server = createServer((_request, response) => {
    const more = (): void =>
      void (response.destroyed || response.write(Buffer.alloc(65_536), () => setImmediate(more)));
    response.on("close", closed);
    more();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  await using http = createHttpSend({ mostBytes: 100_000 });
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await assert.rejects(http.send(endpoint, REQUEST, signal), /longer than 100000 bytes/);
  await cut;
  http.close();
  server.close();
});

/** What speaks over the wire as it likes once it was asked. */
async function speaking(speak: (socket: Socket) => void): Promise<AsyncDisposable & { readonly endpoint: URL }> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("an answer that switches protocols is no answer, and its connection is cut", { timeout: 10_000 }, async () => {
  const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  for (const text of [SWITCHED, `${SWITCHED}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`]) {
    const cut = Promise.withResolvers<void>();
    await using server = await speaking((socket) => void socket.on("close", cut.resolve).write(text));
    await using http = createHttpSend({ maxConnections: 1 });
    for (let call = 0; call < 2; call++) {
      await assert.rejects(http.send(server.endpoint, REQUEST, signal), /ended the connection without an answer/);
    }
    await cut.promise;
  }
});

test(
  "an endpoint that only promises an answer is waited for no longer than the signal",
  { timeout: 10_000 },
  async () => {
    for (const promise of ["100 Continue", "102 Processing", "103 Early Hints"]) {
      const promised = Promise.withResolvers<void>();
      let times = 0;
      await using server = await speaking((socket) => {
        const more = (): void => {
          if (++times > 100) promised.resolve();
          if (!socket.destroyed) socket.write(`HTTP/1.1 ${promise}\r\n\r\n`, () => setImmediate(more));
        };
        more();
      });
      await using http = createHttpSend();
      const stopping = new AbortController();
      const asked = http.send(server.endpoint, REQUEST, stopping.signal);
      await promised.promise;
      stopping.abort();
      await assert.rejects(asked, { name: "AbortError" }, promise);
    }
  },
);
