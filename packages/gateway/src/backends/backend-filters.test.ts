import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesSource } from "../exchange/bodies.ts";
import { Fields } from "../exchange/fields.ts";
import { madeAnswer, madeAround, madeCall } from "../filters/testing/made-call.ts";
import { throughFilters } from "../pipeline/through-filters.ts";
import { backendFilters } from "./backend-filters.ts";
import type { BackendSpec } from "./backend-spec.ts";

const HOSTS = { hosts: [{ address: "a", port: 80 }] };
const filtersOf = (kind: "Backend" | "GRPCBackend", spec: Omit<BackendSpec, "hosts">) => {
  const around = madeAround();
  return { filters: backendFilters(kind, { ...HOSTS, ...spec }, around), around };
};

test("what a backend changes in requests and answers is changed once it is chosen, and its answer on the way back", async () => {
  const { filters } = filtersOf("Backend", {
    transform: {
      request: { headers: { set: { "X-To": "backend" }, remove: ["x-secret"] } },
      response: { headers: { set: { "X-From": "backend" } }, denyFields: ["password"] },
    },
  });
  const call = madeCall({ fields: { "x-secret": "s" } });
  const answer = await throughFilters(filters, call, () => ({
    ...madeAnswer(),
    fields: new Fields(["content-type", "application/json"]),
    body: bytesSource(Buffer.from('{"name":"a","password":"b"}')),
  }));
  assert.equal(call.head.fields.get("x-to"), "backend");
  assert.equal(call.head.fields.has("x-secret"), false);
  assert.equal(answer.fields.get("x-from"), "backend");
  assert.equal(answer.body?.length, Buffer.byteLength('{"name":"a"}'));
});

test("metadata of calls is set by backends of gRPC", async () => {
  const { filters } = filtersOf("GRPCBackend", {
    transform: { metadata: { static: { "x-tenant": "a" }, dynamic: { "x-who": "client.ip" } } },
  });
  const call = madeCall({ isGrpc: true, clientAddress: "10.0.0.1" });
  await throughFilters(filters, call, () => madeAnswer());
  assert.equal(call.head.fields.get("x-tenant"), "a");
  assert.equal(call.head.fields.get("x-who"), "10.0.0.1");
});

test("what has no effect on a backend is said", () => {
  const { around } = filtersOf("Backend", { cache: { enabled: true } });
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.cache", "warning"]],
  );
});
