import assert from "node:assert/strict";
import { test } from "node:test";
import { aliasRecords } from "./alias-records.ts";
import { BALANCER, claimOf } from "./testing/observations.ts";

const types = (wish: Parameters<typeof claimOf>[0], dualStack: boolean): readonly string[] =>
  aliasRecords(claimOf(wish), { ...BALANCER, dualStack }).map(({ type }) => type);

test("AAAA is made only where the load balancer has IPv6, also where it is asked for", () => {
  assert.deepEqual(types({}, false), ["A"]);
  assert.deepEqual(types({}, true), ["A", "AAAA"]);
  assert.deepEqual(types({ dns: { evaluateTargetHealth: true, recordTypes: ["A"] } }, true), ["A"]);
  assert.deepEqual(types({ dns: { evaluateTargetHealth: true, recordTypes: ["A", "AAAA"] } }, false), ["A"]);
});

test("a weight and its set are on every record", () => {
  const dns = { evaluateTargetHealth: false, setIdentifier: "blue", weight: 10, healthCheckId: "h-1" };
  const [record] = aliasRecords(claimOf({ dns }), BALANCER);
  const { setIdentifier, weight, healthCheckId, alias } = record ?? {};
  assert.deepEqual([setIdentifier, weight, healthCheckId, alias?.evaluateTargetHealth], ["blue", 10, "h-1", false]);
});
