import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { connect } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { forward } from "./forwarding-gateway.ts";
import { backendConnections } from "./backend-connections.ts";
import { http2Server } from "./http2-server.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Changes the protocol and then gives back every byte; `/no` it refuses. */
async function echoBackend(t: TestContext): Promise<number> {
  const server = createHttpServer();
  server.on("upgrade", (request, socket) => {
    if (request.url === "/no") {
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
      return;
    }
    const key = String(request.headers["sec-websocket-key"]);
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n" +
        `sec-websocket-accept: ${accept}\r\nsec-websocket-protocol: chat\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return listen(server);
}

test("a WebSocket over HTTP/2 reaches a backend of HTTP/1.1, and a refusal comes back", async (t) => {
  const port = await echoBackend(t);
  const upstream = backendConnections(port, 4);
  const served = await http2Server(t, (exchange) => forward(upstream, exchange));
  const session = connect(`http://127.0.0.1:${served}`);
  t.after(() => {
    session.destroy();
    upstream.close();
  });
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  const open = (path: string): ReturnType<typeof session.request> =>
    session.request(
      {
        ":method": "CONNECT",
        ":protocol": "websocket",
        ":path": path,
        ":authority": "a.test",
        "sec-websocket-version": "13",
        "sec-websocket-protocol": "chat",
      },
      { endStream: false },
    );
  const stream = open("/chat");
  const head = await new Promise<Record<string, unknown>>((resolve) => stream.once("response", resolve));
  assert.equal(head[":status"], 200);
  assert.equal(head["sec-websocket-protocol"], "chat");
  assert.equal(head["sec-websocket-accept"], undefined);
  for (const text of ["one", "two"]) {
    const echoed = new Promise<string>((resolve) => stream.once("data", (chunk: Buffer) => resolve(chunk.toString())));
    stream.write(text);
    assert.equal(await echoed, text);
  }
  const ended = new Promise((resolve) => stream.once("end", resolve));
  stream.end();
  await ended;
  const refused = open("/no");
  const answer = await new Promise<Record<string, unknown>>((resolve) => refused.once("response", resolve));
  assert.equal(answer[":status"], 403);
  refused.resume();
});
