import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { postOverHttp } from "./post.ts";

const { signal } = new AbortController();

test(
  "the status of any answer is told, and a collector that switches protocols gave none",
  { timeout: 10_000 },
  async () => {
    const server = createServer((request, response) => {
      if (request.url === "/switch") {
        request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
      } else response.writeHead(503, { "retry-after": "2" }).end("busy");
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const to = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const busy = await postOverHttp({ url: to("/"), headers: {}, body: "{}", signal });
    assert.deepEqual(busy, { status: 503, retryAfterMs: 2000 });
    await assert.rejects(postOverHttp({ url: to("/switch"), headers: {}, body: "{}", signal }), /without an answer/);
    server.closeAllConnections();
    server.close();
  },
);
