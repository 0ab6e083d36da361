import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { operatorApi } from "@gatewright/gateway-wire";
import fc from "fast-check";
import { deliverable } from "../../model/testing/deliverables.ts";
import { resourceOf } from "./resource-bytes.ts";
import { updateBytes } from "./update-bytes.ts";
import { formatUpdateVersion, parseUpdateVersion } from "./update-version.ts";

const read = (bytes: Uint8Array) => fromBinary(operatorApi.ConfigurationUpdateSchema, bytes);

test("updates that are put together from bytes are what any reader of messages reads", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 2n ** 62n }),
      fc.string(),
      fc.string({ maxLength: 400 }),
      fc.boolean(),
      fc.nat({ max: 2 ** 41 }),
      (sequence, version, text, isLast, at) => {
        const one = deliverable("a", { spec: { text } });
        const backend = deliverable("b", { kind: "GRPCBackend" });
        const head = { version, sequence, at, isLast };
        const full = read(updateBytes({ does: "replace", set: [one, backend] }, head));
        assert.deepEqual([full.sequence, full.version, full.isLastInBatch], [sequence, version, isLast]);
        assert.equal(full.timestamp && timestampMs(full.timestamp), at);
        assert.deepEqual(full.snapshot?.apiRoutes, [resourceOf(one)]);
        assert.deepEqual(full.snapshot.grpcBackends, [resourceOf(backend)]);
        assert.equal(full.snapshot.totalResources, 2);
        const batch = read(updateBytes({ does: "change", set: [one], removed: [backend] }, head));
        assert.deepEqual(batch.set, [resourceOf(one)]);
        assert.deepEqual(
          batch.removed.map(({ name, specJson }) => [name, specJson.length]),
          [["b", 0]],
        );
        assert.deepEqual(read(updateBytes({ does: "modify", one }, head)).resource, resourceOf(one));
      },
    ),
    { numRuns: 100 },
  );
});

test("a version says content and sequence, and others' versions say nothing", () => {
  const version = { hash: 5n, sequence: 1_900_000_000_000_000n };
  assert.deepEqual(parseUpdateVersion(formatUpdateVersion(version)), version);
  for (const text of ["", "17", "sha256:ab12", "x".repeat(40)]) assert.equal(parseUpdateVersion(text), undefined);
});
