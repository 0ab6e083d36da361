import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { healthQuestion, isServing } from "./grpc-health.ts";
import { healthPlan } from "./health-plan.ts";
import { stepHealth, UNKNOWN_HEALTH } from "./health.ts";
import type { Health } from "./health.ts";

test("the first check decides at once, later ones only when enough of them in a row say otherwise", () => {
  const thresholds = { healthyThreshold: 2, unhealthyThreshold: 3 };
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1 }), (checks) => {
      let health: Health = UNKNOWN_HEALTH;
      let expected = checks[0]!;
      checks.forEach((passed, at) => {
        health = stepHealth(health, passed, thresholds);
        const needed = expected ? 3 : 2;
        const lately = checks.slice(Math.max(0, at - needed + 1), at + 1);
        if (at >= needed && lately.every((one) => one !== expected)) expected = !expected;
        assert.equal(health.is === "healthy", expected);
      });
    }),
  );
});

test("what is asked is what the kind of backend says in its own words", () => {
  assert.equal(healthPlan("Backend", undefined), undefined);
  assert.equal(healthPlan("GRPCBackend", { enabled: false }), undefined);
  const question = (kind: string, spec: Parameters<typeof healthPlan>[1]) => healthPlan(kind, spec)?.question;
  assert.deepEqual(question("Backend", { path: "/up" }), { by: "http", path: "/up" });
  assert.deepEqual(question("Backend", { path: "/up", useGRPC: true, grpcService: "a.B" }), {
    by: "grpc",
    service: "a.B",
  });
  assert.deepEqual(question("Backend", { tcp: true }), { by: "tcp" });
  assert.deepEqual(question("GRPCBackend", { enabled: true, httpPath: "/healthz" }), { by: "grpc", service: "" });
  assert.deepEqual(question("GRPCBackend", { useHTTP: true, httpPath: "/z" }), { by: "http", path: "/z" });
  const plan = healthPlan("GRPCBackend", { useHTTP: true, httpPort: 81, interval: "1m", timeout: "2s" });
  assert.deepEqual([plan?.port, plan?.intervalMs, plan?.timeoutMs], [81, 60_000, 2000]);
});

test("gRPC's question has its service's name, of whatever length", () => {
  assert.deepEqual([...healthQuestion("")], [0, 0, 0, 0, 0]);
  assert.deepEqual([...healthQuestion("ab")], [0, 0, 0, 0, 4, 0x0a, 2, 97, 98]);
  assert.deepEqual([...healthQuestion("x".repeat(300))].slice(0, 8), [0, 0, 0, 1, 47, 0x0a, 0xac, 0x02]);
});

test("only SERVING, whole and uncompressed, counts; unknown fields do not matter", () => {
  const framed = (...bytes: number[]): Buffer => Buffer.from([0, 0, 0, 0, bytes.length, ...bytes]);
  assert.equal(isServing(framed(8, 1)), true);
  assert.equal(isServing(framed(0x12, 2, 1, 2, 8, 1)), true);
  assert.equal(isServing(framed(8, 2)), false);
  assert.equal(isServing(framed()), false);
  assert.equal(isServing(framed(8)), false);
  assert.equal(isServing(framed(0x12, 200, 1)), false);
  assert.equal(isServing(framed(8, 1).subarray(0, 6)), false);
  assert.equal(isServing(Buffer.concat([Buffer.from([1]), framed(8, 1).subarray(1)])), false);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof isServing(Buffer.from(bytes)) === "boolean"));
});
