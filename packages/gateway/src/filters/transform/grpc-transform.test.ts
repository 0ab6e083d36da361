import assert from "node:assert/strict";
import { test } from "node:test";
import { madeAround, madeCall } from "../testing/made-call.ts";
import { grpcTransformFilter } from "./grpc-transform.ts";

test("metadata is set from fixed values and sources", async () => {
  const around = madeAround();
  const filter = grpcTransformFilter(
    { metadata: { static: { "X-Via": "g" }, dynamic: { "x-ip": "client.ip" } } },
    around,
  );
  const call = madeCall({ isGrpc: true, fields: { "x-ip": "forged" } });
  await filter?.request?.(call);
  assert.deepEqual(
    [...call.head.fields],
    [
      ["x-ip", "192.0.2.7"],
      ["x-via", "g"],
    ],
  );
  assert.deepEqual(around.notes, []);
});

test("a field mask is a warning, and what belongs to the protocol an error", () => {
  const around = madeAround();
  grpcTransformFilter({ fieldMask: { paths: ["a"] }, metadata: { static: { "grpc-timeout": "1S" } } }, around);
  assert.deepEqual(
    around.notes.map(({ severity }) => severity),
    ["warning", "error"],
  );
});
