import assert from "node:assert/strict";
import { test } from "node:test";
import { moveRequest } from "./move-request.ts";
import { answeringClient } from "./testing/answering.ts";

test("what conditions say cannot move the terminal", async () => {
  const request = {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "GatewayHostnameRequest",
    metadata: { namespace: "shop", name: "web", generation: 1 },
    spec: { zoneId: "Z1", hostname: "a.example.com" },
    status: {
      assignedGateway: "gw-01",
      conditions: [
        { type: "Ready", status: "False", reason: "Odd", message: "It is not moved: gw-02 \u001b[2Jis\nfull" },
      ],
    },
  };
  const list = { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "1" }, items: [] };
  const client = answeringClient((_, path) => [200, /\/web(?:\?|$)/.test(path) ? request : list]);
  const lines: string[] = [];
  const move = { to: "gw-02", anyway: false, wait: true };
  const signal = AbortSignal.timeout(5_000);
  const code = await moveRequest(client, { namespace: "shop", name: "web" }, move, (line) => lines.push(line), signal);
  assert.equal(code, 1);
  assert.deepEqual(lines, ["a.example.com moves from gw-01 to gw-02.", "Not moved: gw-02  [2Jis full"]);
});
