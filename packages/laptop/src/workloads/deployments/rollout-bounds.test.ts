import assert from "node:assert/strict";
import { test } from "node:test";
import { rolloutBounds } from "./rollout-bounds.ts";

const TABLE = [
  [10, "25%", "25%", 3, 2],
  [3, "25%", "25%", 1, 0],
  [1, "25%", "25%", 1, 0],
  [4, 0, "10%", 0, 1],
  [4, "0%", 0, 0, 1],
  [4, 2, 1, 2, 1],
  [2, 5, 5, 5, 2],
  [0, "25%", "25%", 0, 0],
  [0, 1, 1, 1, 0],
  [3, "100%", 0, 3, 0],
] as const;

for (const [replicas, maxSurge, maxUnavailable, surge, missing] of TABLE) {
  test(`of ${replicas} pods, ${maxSurge} above and ${maxUnavailable} below are ${surge} and ${missing}`, () => {
    const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } };
    assert.deepEqual(rolloutBounds({ replicas, strategy, selector: {}, template: {} }), {
      desired: replicas,
      maxSurge: surge,
      maxUnavailable: missing,
    });
  });
}

test("Recreate goes neither above nor below", () => {
  const spec = { replicas: 4, strategy: { type: "Recreate" }, selector: {}, template: {} };
  assert.deepEqual(rolloutBounds(spec), { desired: 4, maxSurge: 0, maxUnavailable: 0 });
});
