import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { probe } from "./probe.ts";
import { openPort } from "./testing/stage.ts";

test("a target that switches protocols fails its check", { timeout: 10_000 }, async (t) => {
  const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  const port = await openPort(
    t,
    createServer(({ socket }) => void socket.write(switched)),
  );
  const found = await probe({ HealthCheckProtocol: "HTTP" }, { host: "127.0.0.1", port }, new AbortController().signal);
  assert.deepEqual(found, { ok: false, reason: "Target.FailedHealthChecks", description: "Health checks failed" });
});
