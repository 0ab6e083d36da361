import assert from "node:assert/strict";
import { test } from "node:test";
import { nextStep } from "./progress.ts";
import type { Surroundings } from "./progress.ts";
import type { CertificateRecord } from "./records.ts";

const DAY = 86_400_000;

const PENDING: CertificateRecord = {
  arn: "arn:aws:acm:eu-west-1:000000000000:certificate/1",
  type: "AMAZON_ISSUED",
  createdAt: 0,
  names: ["a.example.com", "b.example.com"],
  keyAlgorithm: "RSA_2048",
  validation: { method: "DNS", domains: [] },
  transparencyLogging: "ENABLED",
  export: "DISABLED",
  exported: false,
  phase: { is: "pending", validated: [null, null] },
  tags: [],
};

const ISSUED: CertificateRecord = {
  ...PENDING,
  phase: {
    is: "issued",
    at: 0,
    facts: {
      serial: "01",
      subject: "CN=a.example.com",
      issuer: "Amazon",
      notBefore: 0,
      notAfter: 198 * DAY,
      signatureAlgorithm: "SHA256WITHECDSA",
      keyUsages: [],
      extendedKeyUsages: [],
    },
  },
};

const seen = (more: Partial<Surroundings>): Surroundings => ({
  now: 60_000,
  durations: 1,
  published: () => true,
  forbidden: () => false,
  inUse: () => true,
  ...more,
});

test("names that are found are noted, and stay noted when their records go", () => {
  const step = nextStep(PENDING, seen({ published: (name) => name === "a.example.com" }));
  assert.ok(step.do === "note" && step.record.phase.is === "pending");
  assert.deepEqual(step.record.phase.validated, [60_000, null]);
  const later = nextStep(step.record, seen({ now: 61_000, published: (name) => name === "b.example.com" }));
  assert.ok(later.do === "note" && later.record.phase.is === "pending");
  assert.deepEqual(later.record.phase.validated, [60_000, 61_000]);
  assert.deepEqual(nextStep(later.record, seen({ now: 80_999, published: () => false })), { do: "nothing" });
  assert.deepEqual(nextStep(later.record, seen({ now: 81_000, published: () => false })), { do: "issue" });
});

test("at no pace at all a request with its records in place is issued at once", () => {
  assert.deepEqual(nextStep(PENDING, seen({ now: 0, durations: 0 })), { do: "issue" });
});

test("before the records are told nothing is looked for", () => {
  assert.deepEqual(nextStep(PENDING, seen({ now: 3_999 })), { do: "nothing" });
});

test("mail validation waits for a mail that nobody reads here", () => {
  const mailed: CertificateRecord = { ...PENDING, validation: { method: "EMAIL", domains: [] } };
  assert.deepEqual(nextStep(mailed, seen({})), { do: "nothing" });
});

test("renewal is for certificates in use, and not before its window", () => {
  assert.deepEqual(nextStep(ISSUED, seen({ now: 152 * DAY })), { do: "nothing" });
  assert.deepEqual(nextStep(ISSUED, seen({ now: 153 * DAY, inUse: () => false })), { do: "nothing" });
  assert.equal(nextStep(ISSUED, seen({ now: 153 * DAY })).do, "issue");
});

test("a renewal that still waits when the certificate ends has failed", () => {
  const waiting: CertificateRecord = {
    ...ISSUED,
    renewal: { status: "PENDING_VALIDATION", updatedAt: 0, found: [true, false] },
  };
  const step = nextStep(waiting, seen({ now: 198 * DAY }));
  assert.ok(step.do === "note");
  assert.equal(step.record.renewal?.status, "FAILED");
});
