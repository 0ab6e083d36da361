import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import { createClaimMetrics } from "./claim-metrics.ts";
import type { Claim } from "./claim.ts";
import { createTelling } from "./telling.ts";

/** Events of a claim that goes through these states, one after the other. */
function toldOf(...states: readonly (readonly ["True" | "False", Reason])[]): readonly string[] {
  const told: string[] = [];
  const events = {
    record: (_: unknown, note: { type: string; reason: string }) => told.push(`${note.type} ${note.reason}`),
  };
  const telling = createTelling(createClaimMetrics(undefined), new ManualClock());
  let before = { metadata: { name: "shop.example.com" }, spec: {} } as Claim;
  for (const [status, reason] of states) {
    const conditions = [{ type: "Ready", status, reason: reason.reason, message: "", lastTransitionTime: "" }];
    const claim = { ...before, status: { conditions } } as Claim;
    telling.ended(events, before, { claim, fact: { at: "Ready", status, reason, message: "" }, afterMs: undefined });
    before = claim;
  }
  return told;
}

test("a hostname that becomes live as it should is told to be served, and warns of nothing", () => {
  const way = [
    ["False", REASONS.Gathering],
    ["False", REASONS.PendingIssuance],
    ["False", REASONS.WaitingForGateway],
    ["False", REASONS.PendingChange],
    ["True", REASONS.Serving],
  ] as const;
  assert.deepEqual(toldOf(...way), ["Normal Serving"]);
});

test("what needs a person is a warning, once, also while the hostname is served", () => {
  assert.deepEqual(toldOf(["False", REASONS.CertificateFailed], ["False", REASONS.CertificateFailed]), [
    "Warning CertificateFailed",
  ]);
  assert.deepEqual(toldOf(["True", REASONS.Serving], ["True", REASONS.RenewalFails], ["True", REASONS.Serving]), [
    "Normal Serving",
    "Warning RenewalFails",
    "Normal Serving",
  ]);
});
