import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@gatewright/ports";
import type { Transport } from "@gatewright/runtime";
import { podPortBy } from "./pod-port.ts";

const answering =
  (status: number, text: string): Transport =>
  async () => ({ status, headers: {}, body: new Blob([text]).stream() });
const status = (reason: string, message: string): string => JSON.stringify({ kind: "Status", reason, message });
const look = (transport: Transport) => podPortBy(transport, systemClock, { namespace: "shop", name: "a" }, 8080);

test("any answer of the pod is one, also an error of its own; a refused connection is closed", async () => {
  assert.equal(await look(answering(200, "hello")), "listening");
  assert.equal(await look(answering(500, "trouble")), "listening");
  const refused = "error trying to reach service: dial tcp 10.0.0.1:8080: connect: connection refused";
  assert.equal(await look(answering(503, status("ServiceUnavailable", refused))), "closed");
});

test("what says nothing of the port is unknown", async () => {
  assert.equal(await look(answering(403, status("Forbidden", "no pods/proxy"))), undefined);
  assert.equal(await look(answering(404, status("NotFound", "no such pod"))), undefined);
  const broken = "error trying to reach service: malformed HTTP response";
  assert.equal(await look(answering(502, status("ServiceUnavailable", broken))), undefined);
  assert.equal(await look(() => Promise.reject(new Error("no answer"))), undefined);
});
