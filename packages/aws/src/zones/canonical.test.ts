import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalName, sameRecord } from "./canonical.ts";
import type { RecordSet } from "./record-set.ts";

test("names are the same whatever their case, their dot and their escapes", () => {
  assert.equal(canonicalName("\\052.Shop.Example.COM."), "*.shop.example.com");
  assert.equal(canonicalName("a\\056b.example.com"), "a\\056b.example.com");
});

test("sets are the same when they say the same", () => {
  const alias = { dnsName: "LB-1.eu-west-1.elb.amazonaws.com.", zoneId: "Z3", evaluateTargetHealth: true };
  const same: readonly (readonly [RecordSet, RecordSet])[] = [
    [
      { name: "\\052.a.com.", type: "A", ttl: 60, values: ["10.0.0.1", "10.0.0.2"] },
      { name: "*.A.com", type: "A", ttl: 60, values: ["10.0.0.2", "10.0.0.1"] },
    ],
    [
      { name: "a.com", type: "CNAME", ttl: 60, values: ["X.acm-validations.aws."] },
      { name: "a.com", type: "CNAME", ttl: 60, values: ["x.acm-validations.aws"] },
    ],
    [
      { name: "a.com", type: "TXT", ttl: 60, values: ['"one" "two"'] },
      { name: "a.com", type: "TXT", ttl: 60, values: ["one two"] },
    ],
    [
      { name: "a.com", type: "A", alias },
      { name: "a.com", type: "A", alias: { ...alias, dnsName: "lb-1.eu-west-1.elb.amazonaws.com" } },
    ],
  ];
  for (const [a, b] of same) assert.ok(sameRecord(a, b), a.type);
});

test("what differs in anything is not the same", () => {
  const base: RecordSet = { name: "a.com", type: "TXT", ttl: 60, values: ['"One"'] };
  const others: readonly Partial<RecordSet>[] = [
    { ttl: 61 },
    { values: ['"one"'] },
    { values: ['"One"', '"two"'] },
    { type: "SPF" },
    { setIdentifier: "x", weight: 1 },
    { healthCheckId: "h" },
    { foreign: true },
  ];
  for (const change of others) assert.ok(!sameRecord(base, { ...base, ...change }), JSON.stringify(change));
});
