import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect, createServer as createNetServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { systemClock } from "@gatewright/ports";
import { localAnswer } from "../exchange/local-answer.ts";
import { http1Upstream } from "./http1-upstream.ts";
import { serveHttp1 } from "./serve-http1.ts";

const client = { address: "127.0.0.1", port: 1, tls: undefined };

test("a request is forwarded and its answer comes back", async () => {
  const backend = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("x-seen", JSON.stringify(request.rawHeaders));
      response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
    });
  });
  backend.listen(0, "127.0.0.1");
  await once(backend, "listening");
  const upstream = http1Upstream(
    { host: "127.0.0.1", port: (backend.address() as AddressInfo).port },
    {
      clock: systemClock,
      maxConnections: 10,
      maxPending: 10,
      idleTimeoutMs: 1000,
      connectTimeoutMs: 1000,
      maxRequestsPerConnection: 100,
    },
  );
  const sockets: Socket[] = [];
  const gateway = createNetServer((socket) => {
    sockets.push(socket);
    serveHttp1(socket, undefined, {
      clock: systemClock,
      scheme: "http",
      client,
      listener: "l",
      handle(exchange) {
        const { head, body } = exchange;
        const { method, scheme, authority, target, fields, upgrade } = head;
        upstream.send({ method, scheme, authority, target, fields, body, upgrade }).answer.then(
          (answer) => exchange.send(answer),
          (error: Error) => exchange.send(localAnswer(502, "upstream", error.message)),
        );
      },
    });
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const socket = connect((gateway.address() as AddressInfo).port);
  socket.write(
    "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  );
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, "close");
  assert.match(text, /POST \/a abcHTTP/);
  upstream.close();
  backend.close();
  gateway.close();
});
