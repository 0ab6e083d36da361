import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { seededRandom } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import { addExpiryMetric } from "./expiry-metric.ts";

test("when the certificate that is used now ends is told, and nothing while there is none", async () => {
  const [notBefore, notAfter] = [1_800_000_000_000, 1_900_000_000_000];
  const authority = createAuthority({ subject: { commonName: "test" }, notBefore, notAfter }, seededRandom(1));
  const held: { pair?: KeyPair } = {};
  const metrics = createMetrics();
  addExpiryMetric(metrics, "operator", { current: () => held.pair });
  const told = (): string | undefined =>
    /^gatewright_certificate_expiry_timestamp_seconds\{certificate="operator"\} (.*)$/m.exec(
      metrics.exposition().body,
    )?.[1];
  assert.equal(told(), "NaN");
  held.pair = await authority.issue({ notBefore, notAfter: 1_850_000_000_000, usedBy: ["server"] });
  assert.equal(Number(told()), 1_850_000_000);
});
