import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
