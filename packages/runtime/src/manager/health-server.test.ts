import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { createMetrics } from "@gatewright/telemetry";
import { createHealthServer } from "./health-server.ts";
import type { Manager } from "./manager.ts";

const health: Pick<Manager, "health"> = {
  health: (kind) =>
    kind === "live"
      ? [{ name: "ping", problem: undefined }]
      : [
          { name: "cache/pods", problem: undefined },
          { name: "lease", problem: "the lease has not been read yet" },
        ],
};

async function ask(
  port: number,
  path: string,
  method = "GET",
): Promise<{ status: number; body: string; type: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, method, host: "127.0.0.1", agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, type: response.headers["content-type"] ?? "" }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("health is told in the manner of the API server: in short, in full, by check, and without some", async () => {
  const stop = new AbortController();
  const listening = Promise.withResolvers<AddressInfo>();
  const metrics = createMetrics();
  metrics.counter({ name: "things_total", help: "Things" }).inc();
  const server = createHealthServer({
    manager: health,
    host: "127.0.0.1",
    port: 0,
    metrics,
    listening: listening.resolve,
  });
  const running = server.run(stop.signal);
  const { port } = await listening.promise;
  const text = async (path: string, method?: string): Promise<string> => {
    const { status, body } = await ask(port, path, method);
    return `${status} ${body}`;
  };
  assert.equal(await text("/healthz"), "200 ok");
  assert.equal(await text("/livez?verbose"), "200 [+]ping ok\nlivez check passed\n");
  assert.equal(
    await text("/readyz"),
    "500 [+]cache/pods ok\n[-]lease failed: the lease has not been read yet\nreadyz check failed\n",
  );
  assert.equal(await text("/readyz?exclude=lease"), "200 ok");
  assert.equal(await text("/readyz/cache/pods"), "200 ok");
  assert.equal(await text("/readyz/lease"), "500 the lease has not been read yet\n");
  assert.equal(await text("/readyz/nothing"), "404 no such check\n");
  assert.equal(await text("/"), "404 not found\n");
  assert.equal(await text("//"), "404 not found\n");
  assert.equal(await text("/livez", "HEAD"), "200 ");
  assert.equal(await text("/livez", "POST"), "405 method not allowed\n");
  const scraped = await ask(port, "/metrics");
  assert.ok(scraped.body.includes("things_total 1\n"));
  assert.match(scraped.type, /^text\/plain; version=0\.0\.4/);
  stop.abort();
  await running;
  await assert.rejects(ask(port, "/healthz"));
});

test("a port that is taken rejects, so that it is tried again", async () => {
  const stop = new AbortController();
  const listening = Promise.withResolvers<AddressInfo>();
  const first = createHealthServer({ manager: health, host: "127.0.0.1", port: 0, listening: listening.resolve });
  const running = first.run(stop.signal);
  const { port } = await listening.promise;
  await assert.rejects(createHealthServer({ manager: health, host: "127.0.0.1", port }).run(stop.signal), /EADDRINUSE/);
  stop.abort();
  await running;
});
