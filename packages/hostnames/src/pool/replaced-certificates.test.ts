import assert from "node:assert/strict";
import { test } from "node:test";
import { ReplacedCertificates } from "./replaced-certificates.ts";
import { arnOf, claim } from "./testing/claims.ts";

const SECOND = 1_000;
const A = claim("a.example.com");
const [OLD, NEW] = [arnOf("a.example.com"), arnOf("renewed")] as const;
const renewed = { ...A, status: { ...A.status!, certificate: { arn: NEW } } };

test("a certificate that no claim names any more stays for two minutes from then on, and no longer", () => {
  const replaced = new ReplacedCertificates();
  const before = { default: OLD, others: [] };
  assert.equal(replaced.staying("gw-01", before, [A], 0).size, 0);
  assert.deepEqual([...replaced.staying("gw-01", before, [renewed], 50 * SECOND)], [[OLD, 120 * SECOND]]);
  const both = { default: OLD, others: [NEW] };
  assert.deepEqual([...replaced.staying("gw-01", both, [renewed], 100 * SECOND)], [[OLD, 70 * SECOND]]);
  assert.equal(replaced.staying("gw-02", { default: NEW, others: [] }, [renewed], 100 * SECOND).size, 0);
  assert.equal(replaced.staying("gw-01", both, [renewed], 170 * SECOND).size, 0);
});

test("one that is named again meanwhile begins anew when it is replaced again", () => {
  const replaced = new ReplacedCertificates();
  const present = { default: OLD, others: [] };
  replaced.staying("gw-01", present, [renewed], 0);
  assert.equal(replaced.staying("gw-01", present, [A], 100 * SECOND).size, 0);
  assert.deepEqual([...replaced.staying("gw-01", present, [renewed], 110 * SECOND)], [[OLD, 120 * SECOND]]);
});

test("a certificate of a hostname that is given up is that hostname's yet", () => {
  const leaving = { ...A, metadata: { ...A.metadata, deletionTimestamp: "2030-01-02T00:00:00Z" } };
  assert.equal(new ReplacedCertificates().staying("gw-01", { default: OLD, others: [] }, [leaving], 0).size, 0);
});
