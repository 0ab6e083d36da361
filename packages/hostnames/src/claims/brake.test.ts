import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { formatTime, parseTime } from "@gatewright/kube";
import type { DomainClaim } from "@gatewright/resources";
import { isHeld } from "./brake.ts";
import type { BrakeInput } from "./brake.ts";

const NOON = parseTime("2030-01-01T12:00:00Z") ?? 0;
const MINUTE = 60_000;

/** A claim that was deleted so many minutes after noon. */
const deleted = (minutes: number, status?: DomainClaim["status"]): DomainClaim => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "DomainClaim",
  metadata: { name: `deleted-${minutes}`, deletionTimestamp: formatTime(NOON + minutes * MINUTE) },
  spec: { zoneId: "Z1", hostname: "a.example.com", ownerRef: { namespace: "a", name: "a", uid: "u" } },
  ...(status && { status }),
});

const input = (deleting: readonly DomainClaim[], more: Partial<BrakeInput> = {}): BrakeInput => ({
  deleting,
  allowUntil: undefined,
  now: NOON + 60 * MINUTE,
  settings: { deletions: 3, windowMs: 10 * MINUTE },
  ...more,
});

suite("the brake", () => {
  test("as many deletions as are allowed go through, and one more holds all of them", () => {
    const three = [deleted(0), deleted(1), deleted(2)];
    for (const claim of three) assert.equal(isHeld(claim, input(three)), false);
    const four = [...three, deleted(10)];
    for (const claim of four) assert.equal(isHeld(claim, input(four)), true);
  });

  test("deletions that are further apart than the window are no burst", () => {
    const slow = [deleted(0), deleted(4), deleted(8), deleted(12), deleted(16)];
    for (const claim of slow) assert.equal(isHeld(claim, input(slow)), false);
    const burst = [...slow, deleted(13)];
    assert.equal(isHeld(deleted(0), input(burst)), false);
    assert.equal(isHeld(deleted(12), input(burst)), true);
  });

  test("what was held stays held when the rest of the burst is gone, until a person says otherwise", () => {
    const lastTransitionTime = formatTime(NOON);
    const conditions = [
      { type: "Ready", status: "False", reason: "DeletionHeld", message: "", lastTransitionTime } as const,
    ];
    const held = deleted(0, { conditions });
    assert.equal(isHeld(held, input([held])), true);
    assert.equal(isHeld(held, input([held], { allowUntil: formatTime(NOON + 61 * MINUTE) })), false);
    assert.equal(isHeld(held, input([held], { allowUntil: formatTime(NOON + 59 * MINUTE) })), true);
    assert.equal(isHeld(held, input([held], { allowUntil: "for ever" })), true);
  });

  test("what is being undone already goes on", () => {
    const released = deleted(0, { released: { at: formatTime(NOON), step: "drain" } });
    assert.equal(isHeld(released, input([released, deleted(0), deleted(0), deleted(0)])), false);
  });

  test("what is not deleted is not held", () => {
    const { metadata: _metadata, ...claim } = deleted(0);
    const kept = { ...claim, metadata: { name: "kept" } };
    assert.equal(isHeld(kept, input([deleted(0), deleted(0), deleted(0), deleted(0)])), false);
  });
});
